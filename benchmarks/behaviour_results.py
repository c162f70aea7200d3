"""The commands that `behaviour.py` runs on answers and logs, and those about the program."""

from __future__ import annotations

from behaviour_commands import COMMANDS, PLUGINS, Chain

SCORE = (
    *(
        Chain(
            f"score {name}",
            f"""
            generate plugin={name} n=10 out=items.jsonl
            !answers items.jsonl some.csv
            !answers items.jsonl faulty.json faulty
            score plugin={name} dataset=items.jsonl responses=some.csv log_dir=a
            score plugin={name} n=10 responses=faulty.json model=acme/wise-1 log_dir=b
            score @a
            """,
        )
        for name in PLUGINS
    ),
    Chain(
        "score logs",
        """
        run plugin=ltlbench n=5 model=harness/random log_dir=a
        run plugin=vltl n=4 strategy=self_consistency,staged samples=2 model=harness/random log_dir=b
        text score @a log_dir=c convention=published plugin=ltlbench
        score @b:1 log_dir=d
        score @b:2 log_dir=e
        score plugin=ltlbench n=6 responses=@a log_dir=h convention=published
        """,
    ),
    Chain(
        "score votes, questions and shards",
        """
        generate plugin=ltlbench n=9 out=items.jsonl
        generate plugin=ltlbench n=9 out=folder shards=3
        !answers items.jsonl votes.csv votes
        !answers items.jsonl asked.csv asked
        !answers items.jsonl some.jsonl
        score plugin=ltlbench dataset=items.jsonl responses=votes.csv samples=2 log_dir=a
        score plugin=ltlbench n=9 responses=some.jsonl id=custom_id response=response.body.text log_dir=b
        score plugin=ltlbench dataset=folder responses=asked.csv shards=3 workers=1 log_dir=c
        text score plugin=ltlbench dataset=items.jsonl responses=asked.csv log_dir=d
        """,
    ),
    Chain(
        "score published answers",
        """
        !copy ltlbench/300_2_events_2_formula_len.csv two.csv
        !copy ltlbench/responses/300_2_events_2_qwen-turbo_direct.csv qwen.csv
        !copy ltlbench/responses/300_2_events_2_gpt-5-mini_few_shot_cot.csv gpt.csv
        !copy ltlbench/300_3_events_2_formula_len.csv three.csv
        !copy ltlbench/responses/300_3_events_2_formula_len/deepseek-reasoner_least_to_most.csv deep.csv
        score plugin=ltlbench dataset=two.csv n=60 responses=qwen.csv convention=published log_dir=a
        score plugin=ltlbench dataset=two.csv n=60 responses=gpt.csv model=openai/gpt-5-mini log_dir=b
        score plugin=ltlbench dataset=three.csv n=40 responses=deep.csv response=prediction log_dir=c
        score @a convention=harness log_dir=d
        text compare @b @d metrics=accuracy,label
        compare @a @b
        """,
    ),
)

REPORT = (
    *(
        Chain(
            f"report {name}",
            f"""
            run plugin={name} n=6 model=harness/reference,harness/random log_dir=a
            report @a:1 @a:2 out=page items=3
            {more}
            """,
        )
        for name, more in (
            ("ltlbench", "compare @a:1 @a:2 metrics=accuracy,macro_f1\ntext report @a:2 items=0"),
            ("tempobench", "compare @a:1 @a:2"),
            ("timepuzzles", "text compare @a:2 @a:1 plugin=timepuzzles"),
            ("vltl", "plan d=0.2 power=0.9 alpha=0.01 pilot=@a:2"),
        )
    ),
    Chain(
        "report sweeps and several plugins",
        """
        run plugin=ltlbench n=5 operators=1,3 strategy=direct,cot model=harness/random seed=1 log_dir=a
        run plugin=timepuzzles n=4 model=harness/constant log_dir=b
        report @a:1 @a:3 @a:2 @a:4 b
        report b out=page items=2
        report b out=page
        text report @a:4 b
        """,
    ),
)

PLAN = (
    Chain(
        "plan",
        """
        plan plugin=ltlbench operators=1 d=0.1 power=0.9 alpha=0.01 n=30 metrics=label
        plan plugin=vltl task=verify d=0.2 n=20
        generate plugin=ltlbench n=12 out=items.jsonl
        text plan plugin=ltlbench d=0.1 dataset=items.jsonl
        """,
    ),
)

CHECK = (
    Chain(
        "check golden",
        "".join(
            f"check plugin={name} golden=check only=describe,golden,read n=10\n" for name in PLUGINS
        ),
    ),
    Chain(
        "check all of it",
        """
        check plugin=ltlbench n=12
        text check plugin=vltl n=6 only=read,engines,traces
        check plugin=tempobench n=5 only=formats,roundtrip,order,structure max_states=6
        check plugin=timepuzzles n=5 only=schema,target,junk,weaknesses,readings
        """,
    ),
)

NEW = (
    Chain(
        "new",
        """
        new mytoys
        new mini_toys --minimal
        new other out=folder licence=MIT
        new short minimal=yes out=one-file licence=GPL-3.0-or-later
        text new textual out=t
        text new tiny out=u --minimal
        !install mytoys mytoys harness_mytoys.plugin
        list
        describe plugin=mytoys
        show plugin=mytoys n=2
        run plugin=mytoys n=4 model=harness/reference,harness/random
        check plugin=mytoys n=10
        traces plugin=mytoys n=3 out=traces.jsonl
        text check plugin=mytoys n=5 only=values,read
        """,
    ),
    Chain(
        "new minimal",
        """
        new mini_toys --minimal
        !install mini_toys mini_toys mini_toys
        describe plugin=mini_toys
        run plugin=mini_toys n=4
        check plugin=mini_toys n=10 golden=check
        verify plugin=mini_toys n=5
        """,
    ),
)

# ---------------------------------------------------------------------- plugins of other people

PLUGGED = (
    Chain(
        "plugins benchmark of another package",
        """
        !example timetables
        text list
        describe plugin=timetables
        show plugin=timetables n=2
        generate plugin=timetables n=8 out=items.jsonl
        verify plugin=timetables dataset=items.jsonl report=none
        run plugin=timetables n=5 strategy=direct,few_shot_cot model=harness/reference,harness/random
        check plugin=timetables n=8 only=describe,read,engines,golden,order
        """,
    ),
    Chain(
        "plugins wrappers",
        """
        !example paraphrase brevity
        list
        describe plugin=ltlbench
        show plugin=ltlbench n=2
        generate plugin=vltl n=5 out=items.jsonl
        run plugin=ltlbench n=4 model=harness/random log_dir=a
        score @a log_dir=b
        text check plugin=ltlbench n=5 only=values,read
        """,
    ),
    Chain(
        "plugins that cannot be loaded",
        """
        !broken
        list
        text list
        describe plugin=failing
        check plugin=hookless
        text check plugin=misspelt
        check plugin=newer
        run plugin=astray
        show plugin=ltlbench
        doctor plugin=undescribed
        text __complete run plugin=
        """,
    ),
)

# ------------------------------------------------------------------------------ about the program

ABOUT = (
    Chain(
        "describe",
        "list\ntext list\n"
        + "".join(f"describe plugin={name}\ntext describe plugin={name}\n" for name in PLUGINS)
        + "describe plugin=ltlbench operators=1 events=2 twins=false\ndescribe plugin=vltl preset=paper_translate\n",
    ),
    Chain(
        "help",
        "text --help\ntext -h\ntext --version\n--version\n--help\ntext list --help list\n"
        + "".join(f"text {name} --help\n{name} -h\n" for name in COMMANDS),
    ),
    Chain(
        "doctor",
        """
        doctor
        text doctor plugin=ltlbench,vltl log_dir=elsewhere
        """,
    ),
    Chain("completion scripts", "completion bash\ntext completion bash\ntext completion zsh\ntext completion fish"),
    Chain(
        "completion words",
        "".join(f"text __complete {words}\n" for words in (
            "''", "r", "xyz", "-", "--", "run ''", "run p", "run plugin=", "run plugin=l", "run plugin=ltlbench ''",
            "run plugin=ltlbench o", "run plugin=ltlbench logic=", "run plugin=ltlbench logic=p",
            "run plugin=ltlbench logic=paper,", "run plugin=ltlbench twins=", "run plugin=ltlbench preset=",
            "run plugin=ltlbench strategy=", "run plugin=vltl strategy=st", "run plugin=vltl strategy=staged gold=",
            "run plugin=vltl strategy=staged gold=lift,", "run plugin=vltl scenario=", "run plugin=vltl families=",
            "run plugin=tempobench families=l", "run plugin=tempobench specs=", "run plugin=timepuzzles extra=",
            "run plugin=timepuzzles ''", "run plugin=nothing ''", "run plugin=ltlbench model=", "run model=harness/r",
            "run strategy=", "run tools=", "run convention=", "run structured=", "run dataset=", "run engine=",
            "run plugin=ltlbench operators=", "run plugin=ltlbench n=3 ''", "run -", "run --j", "new -", "new ''",
            "new out=", "new licence=", "show plugin=ltlbench format=", "show plugin=vltl format=j", "show ''",
            "generate plugin=vltl to=", "generate ''", "verify plugin=ltlbench report=", "verify format=",
            "score ''", "score plugin=ltlbench responses=", "score plugin=timepuzzles ''", "export to=p",
            "export plugin=tempobench format=", "traces plugin=vltl ''", "report ''", "report out=", "report items=",
            "compare ''", "compare plugin=", "compare plugin=ltlbench metrics=", "plan plugin=ltlbench metrics=a",
            "plan plugin=vltl ''", "plan pilot=", "check ''", "check plugin=ltlbench golden=", "check only=",
            "doctor ''", "doctor plugin=", "completion ''", "completion b", "view ''", "view log_dir=", "list ''",
            "describe plugin=", "unknown ''", "plugin=", "run --json plugin=ltlbench ev", "view bundle=",
            "describe plugin=ltlbench task=",
        )),
    ),
    Chain(
        "view",
        """
        run plugin=ltlbench n=3 log_dir=logs
        view bundle=other/site
        text view log_dir=logs bundle=other/site
        """,
    ),
)  # fmt: skip

RESULTS: tuple[Chain, ...] = (*REPORT, *SCORE, *NEW, *PLUGGED, *CHECK, *PLAN, *ABOUT)
"""The chains of this module."""
