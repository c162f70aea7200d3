"""The wrong command lines that `behaviour.py` runs: each ends in one line and an exit code, which are recorded."""

from __future__ import annotations

from behaviour_commands import Chain

LONG = "x" * 300

WRONG: tuple[Chain, ...] = (
    Chain(
        "wrong words",
        f"""
        lst
        plugin=ltlbench
        lst --help
        list --hlep
        text list --hlep
        -- list
        run --verbose plugin=ltlbench
        list n=3
        run
        show
        run plugin=
        run plugin=nothing
        run plugin=ltlbenhc n=3
        run pluign=ltlbench
        describe plugin=
        describe
        describe plugin=ltlbench n=3
        describe plugin=ltlbench operators=1,2
        show plugin=ltlbench n
        show plugin=ltlbench =3
        show plugin=ltlbench n=0
        show plugin=ltlbench n=x
        show plugin=ltlbench n=1.5
        show plugin=ltlbench n=yes
        show plugin=ltlbench n=1,2
        show plugin=ltlbench n=1 n=2
        show plugin=ltlbench seed=-1
        show plugin=ltlbench unique=perhaps
        show plugin=ltlbench oprators=3
        show plugin=ltlbench operators=0
        show plugin=ltlbench operators=51
        show plugin=ltlbench operators=many
        show plugin=ltlbench operators=
        show plugin=ltlbench operators=[[[
        show plugin=ltlbench edge_probability=.nan
        show plugin=ltlbench edge_probability=2
        show plugin=ltlbench logic=ppaer
        show plugin=ltlbench preset=papr
        show plugin=ltlbench preset=paper,paper_events
        show plugin=ltlbench preset=paper_events
        show plugin=ltlbench index=-1
        show plugin=ltlbench item=1 index=2
        show plugin=ltlbench item=nobody
        show plugin=ltlbench item=-3
        show plugin=ltlbench model=harness/random
        show plugin=ltlbench format=sgv
        show plugin=ltlbench format=ltlbench_csv
        show plugin=ltlbench out=x.svg
        show plugin=ltlbench n=2 format=svg out=x.svg
        show plugin=ltlbench format=svg out=/dev/null/x.svg
        show plugin=ltlbench dataset=nowhere.jsonl
        show plugin=ltlbench dataset={LONG}
        show plugin=ltlbench n={LONG}
        text show plugin=ltlbench logic=ppaer
        text run plugin=nothing
        """,
    ),
    Chain(
        "wrong settings of a benchmark",
        """
        !give wrong-facts.csv wrong-lab.yaml facts.csv
        !make nothing
        show plugin=tempobench min_states=9 max_states=3
        show plugin=tempobench families=lifft
        show plugin=tempobench families=[lift],latch
        show plugin=tempobench specs=nowhere
        show plugin=tempobench machines=nothing
        show plugin=tempobench machines=facts.csv
        show plugin=tempobench min_depth=5 max_depth=2
        show plugin=tempobench length=3 min_depth=9
        show plugin=tempobench task=tec
        show plugin=tempobench pool=3
        show plugin=tempobench specs=nothing machines=nothing
        show plugin=timepuzzles solutions=9-2
        show plugin=timepuzzles solutions=lots
        show plugin=timepuzzles clues=2
        show plugin=timepuzzles clues=6-3
        show plugin=timepuzzles from_year=1600
        show plugin=timepuzzles from_year=2000 to_year=1900
        show plugin=timepuzzles extra=eastre
        show plugin=timepuzzles facts=nowhere.csv
        show plugin=timepuzzles facts=wrong-facts.csv
        show plugin=timepuzzles builtin_facts=false
        show plugin=timepuzzles facts=nothing
        show plugin=vltl scenario=warehose
        show plugin=vltl scenario=wrong-lab.yaml
        show plugin=vltl arity=9
        show plugin=vltl arity=[1],2
        show plugin=vltl arity=1,one
        show plugin=vltl families=respons
        show plugin=vltl families=until arity=1
        show plugin=vltl depth=4
        show plugin=vltl task=lift,translate
        show plugin=vltl states=1
        show plugin=ltlbench events=2 operators=1 twins=false n=100000
        generate plugin=ltlbench events=2 operators=1 twins=false logic=paper n=5000 out=many.jsonl
        """,
    ),
    Chain(
        "wrong runs",
        """
        !give notes.txt broken.jsonl empty.jsonl
        !make folder
        run plugin=ltlbench strategy=cott
        run plugin=ltlbench strategy=direct shots=2
        run plugin=ltlbench strategy=few_shot shots=0
        run plugin=ltlbench samples=0
        run plugin=ltlbench convention=publishd
        run plugin=ltlbench gold=lift
        run plugin=vltl gold=lift
        run plugin=vltl strategy=staged gold=lfit
        run plugin=vltl strategy=staged task=lift n=2
        run plugin=ltlbench structured=yes
        run plugin=tempobench structured=yes strategy=cot
        run plugin=ltlbench temperature=-1
        run plugin=ltlbench temperature=hot
        run plugin=ltlbench top_p=.inf
        run plugin=ltlbench max_tokens=0
        run plugin=ltlbench timeout=0
        run plugin=ltlbench max_retries=-1
        run plugin=ltlbench max_connections=0
        run plugin=ltlbench model=harness/refrence
        run plugin=ltlbench model=nobody/nothing
        run plugin=ltlbench model=recorded/answers n=3
        run plugin=ltlbench model=openai/gpt-5
        run plugin=ltlbench tools=websearch
        run plugin=ltlbench tools=code
        run plugin=ltlbench tools=both sandbox=local
        """,
    ),
    Chain(
        "wrong runs more",
        """
        !give notes.txt broken.jsonl empty.jsonl
        !make folder
        run plugin=ltlbench n=3 context=nowhere.txt
        run plugin=ltlbench n=3 context=broken.jsonl
        run plugin=ltlbench n=3 context=notes.csv
        run plugin=ltlbench prune_model=openai/gpt-5
        run plugin=vltl prune_model=harness/random
        run plugin=vltl prune_model=nobody/nothing
        run plugin=ltlbench format=ltlbench_csv
        run plugin=ltlbench workers=2
        run plugin=ltlbench engine=rya shards=2
        run plugin=ltlbench shards=0
        run plugin=ltlbench out=x
        run plugin=ltlbench responses=x.csv
        run plugin=ltlbench shard=1
        run plugin=ltlbench n=3 log_dir=/dev/null/logs
        run plugin=ltlbench seed=1,2 dataset=x.jsonl
        run plugin=ltlbench n=50 operators=1 events=2 twins=false logic=paper
        run plugin=ltlbench operators=1,2 n=2 model=harness/reference,harness/refrence
        text run plugin=ltlbench strategy=cott
        """,
    ),
    Chain(
        "wrong datasets",
        """
        !give broken.jsonl empty.jsonl list.json words.csv twice.csv notes.txt no.toml
        !make folder
        generate plugin=ltlbench n=4 out=items.jsonl
        generate plugin=ltlbench n=6 out=shards shards=2
        export plugin=ltlbench dataset=items.jsonl to=parquet out=items.parquet
        run plugin=ltlbench dataset=nowhere.jsonl
        show plugin=ltlbench dataset=folder
        show plugin=ltlbench dataset=/dev/null
        run plugin=ltlbench dataset=empty.jsonl
        show plugin=ltlbench dataset=broken.jsonl
        show plugin=ltlbench dataset=list.json
        show plugin=ltlbench dataset=words.csv
        show plugin=ltlbench dataset=twice.csv
        show plugin=ltlbench dataset=notes.txt
        show plugin=ltlbench dataset=no.toml
        run plugin=vltl dataset=items.jsonl
        show plugin=ltlbench dataset=items.jsonl operators=3
        show plugin=ltlbench dataset=items.jsonl seed=3
        run plugin=ltlbench dataset=items.jsonl format=svg
        show plugin=ltlbench dataset=items.jsonl format=ltlbench_csv
        show plugin=vltl dataset=items.jsonl task=lift
        verify plugin=ltlbench dataset=nowhere.jsonl
        verify plugin=ltlbench dataset=empty.jsonl
        verify plugin=ltlbench dataset=words.csv report=none
        verify plugin=ltlbench dataset=broken.jsonl report=none
        verify plugin=ltlbench corrected=fixed.jsonl
        verify plugin=ltlbench dataset=items.jsonl corrected=items.jsonl
        verify plugin=ltlbench dataset=items.parquet corrected=fixed.parquet
        verify plugin=ltlbench dataset=items.jsonl report=folder
        verify plugin=ltlbench dataset=items.jsonl report=notes.txt
        verify plugin=ltlbench n=1,2
        verify plugin=ltlbench n=2 format=ltlbench_csv
        verify plugin=ltlbench n=2 workers=0
        show plugin=ltlbench dataset=items.jsonl index=9
        show plugin=ltlbench dataset=items.jsonl item=9
        show plugin=ltlbench dataset=items.jsonl n=2 split=train
        !replace items.jsonl items.jsonl event1 event2
        show plugin=ltlbench dataset=items.jsonl
        !cut shards/part-00001-of-00002.jsonl 50
        show plugin=ltlbench dataset=shards n=6
        !cut items.parquet 200
        show plugin=ltlbench dataset=items.parquet
        text run plugin=ltlbench dataset=broken.jsonl
        """,
    ),
    Chain(
        "wrong outputs",
        f"""
        !give notes.txt
        !make folder
        generate plugin=ltlbench
        generate plugin=ltlbench n=3 out=a.jsonl
        generate plugin=ltlbench n=3 out=a.jsonl
        generate plugin=ltlbench n=3 out=a.csv
        generate plugin=ltlbench n=3 out=a.jsonl,b.jsonl
        generate plugin=ltlbench n=3 out=/dev/null/x.jsonl
        generate plugin=ltlbench n=3 out={LONG}.jsonl
        generate plugin=ltlbench n=3 out=b.jsonl shards=2
        generate plugin=ltlbench n=3 out=c shards=0
        generate plugin=ltlbench n=3 out=c shards=9
        generate plugin=ltlbench n=3 out=c to=cvs
        generate plugin=ltlbench n=3 out=c.jsonl to=parquet
        generate plugin=ltlbench n=3 out=c engine=rya
        generate plugin=ltlbench n=3 out=notes.txt
        generate plugin=ltlbench n=3 out=nosuch://bucket/x
        generate plugin=ltlbench n=4 out=s shards=2
        generate plugin=ltlbench n=4 out=s shards=2
        generate plugin=ltlbench n=5 out=s shards=2
        generate plugin=ltlbench n=3 out=d.jsonl dataset=a.jsonl
        generate plugin=ltlbench n=3 out=d.jsonl prune_model=openai/gpt-5
        generate plugin=vltl n=3 out=d.jsonl prune_model=harness/constant
        export plugin=ltlbench n=3
        export plugin=ltlbench n=3 out=a.jsonl
        export plugin=ltlbench n=3 out=x.csv
        export plugin=ltlbench n=3 to=parquet out=x.jsonl
        export plugin=ltlbench n=3 to=parqet out=x.parquet
        export plugin=ltlbench n=3 to=huggingface out=folder
        export plugin=ltlbench n=3 to=published out=x.jsonl
        export plugin=tempobench n=3 to=published out=x.jsonl
        export plugin=tempobench n=3 to=published format=tempobench_jsnol out=x.jsonl
        export plugin=ltlbench n=3 task=counterexample to=published out=y.csv
        export plugin=ltlbench n=3 format=ltlbench_csv out=x.jsonl
        export plugin=ltlbench dataset=nowhere.csv out=x.jsonl
        export plugin=ltlbench n=3 out=/dev/null/x.jsonl
        traces plugin=ltlbench n=3
        traces plugin=ltlbench n=3 out=a.jsonl
        traces plugin=ltlbench n=3 out=t.txt
        traces plugin=ltlbench n=3 out=/dev/null/t.jsonl
        traces plugin=ltlbench n=1,2 out=t.jsonl
        traces plugin=vltl dataset=a.jsonl out=t.jsonl
        traces plugin=ltlbench n=3 to=jsonl out=t.jsonl
        new
        new a b
        new 9lives
        new My-Bench
        new class
        new ltlbench
        new harness
        new toys out=folder/a/b
        new toys out=notes.txt
        new toys out=.
        new toys out=
        new toys licence=!
        new toys minimal=perhaps
        new toys out=a out=b
        new toys where=here
        new toys --minimum
        text generate plugin=ltlbench n=3 out=a.jsonl
        """,
    ),
    Chain(
        "wrong answers and logs",
        """
        !give broken.jsonl empty.jsonl words.csv notes.txt
        !make folder
        run plugin=ltlbench n=3 log_dir=a
        run plugin=vltl n=3 log_dir=b
        generate plugin=ltlbench n=3 out=items.jsonl
        !answers items.jsonl answers.csv
        generate plugin=ltlbench n=3 seed=9 out=others.jsonl
        !answers others.jsonl others.csv
        score
        score plugin=ltlbench
        score plugin=ltlbench n=3 responses=nowhere.csv
        score plugin=ltlbench n=3 responses=empty.jsonl
        score plugin=ltlbench n=3 responses=broken.jsonl
        score plugin=ltlbench n=3 responses=words.csv
        score plugin=ltlbench n=3 responses=answers.csv id=id response=id
        score plugin=ltlbench n=3 responses=others.csv
        score plugin=ltlbench n=3 responses=answers.csv workers=2
        score plugin=ltlbench n=3 responses=@b
        score nowhere.eval
        score @a @b
        score @a samples=2
        score @a convention=publishd
        score @b convention=published
        score @a plugin=vltl
        score @a log_dir=/dev/null/x
        report
        report nowhere
        report a out=notes.txt
        report a out=.
        report a outt=x
        compare
        compare @a
        compare a b plugin=ltlbench
        plan plugin=ltlbench
        plan plugin=ltlbench d=0.1 power=2
        plan plugin=ltlbench d=0.1 metrics=macro_f1
        plan plugin=ltlbench d=0.1 metrics=accuracy,label
        plan pilot=@a d=0.1 n=3
        plan d=0.1
        """,
    ),
    Chain(
        "wrong about the program",
        """
        !give notes.txt
        !make folder
        check
        check plugin=ltlbenhc
        check plugin=ltlbench golden=renew
        check plugin=ltlbench golden=check golden=check
        check plugin=ltlbench only=raed
        check plugin=ltlbench only=read only=read
        check plugin=ltlbench n=0
        check plugin=ltlbench,vltl
        check plugin=ltlbench operators=1,2
        check plugin=ltlbench model=harness/random
        doctor plugin=ltlbenhc
        doctor log_dir
        doctor where=here
        doctor plugin=vltl plugin=vltl
        completion
        completion powershell
        completion bash zsh
        view logdir=x
        view port=0
        view port=http
        view port=1,2
        view port=70000
        view log_dir=nowhere
        view log_dir=folder bundle=x
        view log_dir=folder bundle=folder
        view log_dir=notes.txt
        view folder
        text completion powershell
        """,
    ),
)
"""The chains of this module; some of their lines do something, for the wrong ones that follow."""
