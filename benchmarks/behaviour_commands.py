"""The commands that `behaviour.py` runs and that do something; the wrong ones are in `behaviour_wrong.py`.

A chain is a list of lines that need each other, run in a folder of their own. A line is what follows `harness`;
``--json`` is added unless it begins with ``text``. ``!`` begins a step of `behaviour_given.py`, ``@folder`` is the
one log in that folder. Everything is small (3 to 10 items): what is looked for is any difference, not much of it.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Chain:
    """Lines that are run one after the other; the first word of the name is what ``only=`` takes."""

    name: str
    text: str

    @property
    def group(self) -> str:
        """Return what the chain is about."""
        return self.name.partition(" ")[0]

    @property
    def lines(self) -> list[str]:
        """Return the lines that are not empty."""
        return [line.strip() for line in self.text.splitlines() if line.strip()]


PLUGINS = ("ltlbench", "tempobench", "timepuzzles", "vltl")
COMMANDS = (
    "run", "list", "describe", "show", "generate", "verify", "score", "export", "traces", "report", "compare",
    "plan", "new", "check", "doctor", "completion", "view",
)  # fmt: skip
STRATEGIES = "direct,cot,few_shot,few_shot_cot,self_consistency,least_to_most"
MODELS = "harness/reference,harness/constant,harness/random"

# --------------------------------------------------------------------------------------------- run

RUN = (
    *(
        Chain(
            f"run {name} asked in every way",
            f"""
            run plugin={name} n=3 strategy={STRATEGIES} log_dir=a
            run plugin={name} n=4 model={MODELS} seed=2 log_dir=b
            """,
        )
        for name in PLUGINS
    ),
    Chain(
        "run examples, votes and tables",
        """
        run plugin=ltlbench n=3 strategy=few_shot,few_shot_cot shots=1,2 split=train log_dir=a
        run plugin=timepuzzles n=3 strategy=self_consistency samples=1,2 model=harness/random log_dir=c
        run plugin=vltl n=3 strategy=self_consistency samples=1,3 model=harness/random log_dir=d
        text run plugin=ltlbench n=4 model=harness/random task=decide,counterexample log_dir=e
        text run plugin=timepuzzles n=4 model=harness/constant strategy=self_consistency log_dir=f
        text run plugin=vltl n=4 model=harness/random convention=harness log_dir=g
        """,
    ),
    Chain(
        "run ltlbench settings",
        """
        !give notes.txt
        run plugin=ltlbench n=3 operators=1,5 task=decide,counterexample model=harness/reference,harness/random
        run plugin=ltlbench n=4 preset=paper convention=published model=harness/constant,harness/random
        run plugin=ltlbench n=2 preset=paper_operators
        run plugin=ltlbench n=3 events=6 logic=full wording=can edge_probability=0.3 twins=false unique=no
        run plugin=ltlbench n=3 temperature=0.5 top_p=0.9 max_tokens=100 timeout=60 max_retries=1 logprobs=true
        run plugin=ltlbench n=3 max_connections=2 resume=no tools=none context=notes.txt
        """,
    ),
    Chain(
        "run tempobench settings",
        """
        !machines 12
        run plugin=tempobench n=3 task=tce,tte notation=hoa,prose,table max_states=8
        run plugin=tempobench n=3 preset=paper model=harness/random convention=published
        run plugin=tempobench n=2 hard=yes pool=20 hardest=0.3 max_states=6 length=5
        run plugin=tempobench n=3 structured=no,yes strategy=direct model=harness/reference max_states=6
        run plugin=tempobench n=3 families=lift,latch effects=positive label=full confirm=false hoa=numbers
        run plugin=tempobench n=3 machines=machines min_states=2 trivial=0 inputs=biased
        """,
    ),
    Chain(
        "run timepuzzles settings",
        """
        !give facts.csv facts.yaml
        run plugin=timepuzzles n=3 preset=paper_pairs convention=published model=harness/constant
        run plugin=timepuzzles n=3 mode=implicit,explicit solutions=0,2 clues=4 from_year=1900 to_year=2000
        run plugin=timepuzzles n=3 extra=easter,iso_week necessary=all clues=5-6
        run plugin=timepuzzles n=3 facts=facts.yaml,facts.csv builtin_facts=false
        """,
    ),
    Chain(
        "run vltl settings",
        """
        !give lab.yaml
        run plugin=vltl n=3 task=lift,translate,ground,end_to_end,verify model=harness/reference,harness/random
        run plugin=vltl n=3 strategy=staged gold=[lift],[translate,ground],[ground,lift,translate]
        run plugin=vltl n=3 strategy=lift_then_translate,sub_formulas scenario=traffic_light,search_and_rescue
        run plugin=vltl n=3 preset=paper_ground world=none arity=[1],[2,3]
        run plugin=vltl n=3 scenario=lab.yaml depth=2 suite=false families=response,until
        run plugin=vltl n=3 task=verify states=9 distractors=3 world=signatures
        """,
    ),
    Chain(
        "run datasets",
        """
        generate plugin=ltlbench n=8 operators=4 out=items.jsonl
        generate plugin=ltlbench n=8 operators=4 out=shards shards=3
        export plugin=ltlbench dataset=items.jsonl to=parquet out=items.parquet
        !context items.jsonl search.jsonl
        run plugin=ltlbench dataset=items.jsonl n=5 strategy=few_shot shots=2 log_dir=a
        run plugin=ltlbench dataset=items.jsonl,shards,items.parquet n=4 model=harness/random log_dir=b
        run plugin=ltlbench dataset=items.jsonl context=search.jsonl log_dir=c
        run plugin=ltlbench dataset=items.jsonl n=5 strategy=few_shot shots=2 log_dir=a
        """,
    ),
    Chain(
        "run shards",
        """
        generate plugin=ltlbench n=9 out=items shards=3 seed=4
        run plugin=ltlbench dataset=items shards=3 workers=1 model=harness/random log_dir=b
        run plugin=ltlbench dataset=items shards=3 workers=1 model=harness/random log_dir=b
        text run plugin=vltl n=4 shards=2 workers=2 strategy=self_consistency samples=2 log_dir=c
        """,
    ),
    Chain(
        "run published sets",
        """
        !copy ltlbench/300_2_events_2_formula_len.csv two.csv
        !copy ltlbench/300_2_events_9_formula_len.csv nine.csv
        !head 8 vltl/warehouse.jsonl warehouse.jsonl
        run plugin=ltlbench dataset=two.csv n=8 convention=published model=harness/reference,harness/random
        run plugin=ltlbench dataset=nine.csv format=ltlbench_csv n=4 strategy=few_shot_cot
        run plugin=vltl dataset=warehouse.jsonl task=lift,translate,ground,end_to_end n=4
        run plugin=vltl dataset=warehouse.jsonl task=verify format=vltl_jsonl model=harness/random
        """,
    ),
    Chain(
        "run published forms of ours",
        """
        export plugin=tempobench n=5 max_states=6 to=published format=tempobench_jsonl out=t.jsonl
        export plugin=tempobench n=5 max_states=6 to=published format=tempobench_raw out=raw.jsonl
        export plugin=timepuzzles n=5 to=published out=p.json
        run plugin=tempobench dataset=t.jsonl convention=published
        run plugin=tempobench dataset=raw.jsonl model=harness/constant n=3 task=tte,tce
        run plugin=timepuzzles dataset=p.json convention=published model=harness/random
        """,
    ),
)

# ------------------------------------------------------------------------- items: show to export

SHOW = (
    *(
        Chain(
            f"show {name}",
            f"""
            show plugin={name}
            show plugin={name} n=3 index=2 seed=7
            show plugin={name} item=4 split=train unique=no
            show plugin={name} n=2 format=json
            show plugin={name} item=1 format=svg
            show plugin={name} item=2 format=svg out=item.svg
            text show plugin={name} n=2
            text show plugin={name} item=3 format={form}
            text show plugin={name} item=3 format=svg
            """,
        )
        for name, form in zip(PLUGINS, ("nusmv", "hoa", "json", "text"), strict=True)
    ),
    Chain(
        "show settings",
        """
        show plugin=ltlbench n=2 preset=paper
        show plugin=ltlbench task=counterexample logic=full operators=9 events=9 wording=can
        show plugin=ltlbench task=counterexample item=1 format=svg
        show plugin=ltlbench item=9 format=nusmv
        show plugin=tempobench max_states=4 length=4 notation=table item=2
        show plugin=tempobench task=tte item=0 format=svg
        show plugin=tempobench n=2 notation=prose hoa=numbers task=tte
        show plugin=timepuzzles clues=3 item=0 mode=explicit
        show plugin=timepuzzles n=2 extra=[all] solutions=0
        show plugin=vltl world=none item=1
        show plugin=vltl task=verify item=0 format=svg
        show plugin=vltl n=2 task=lift format=text
        show plugin=vltl n=2 depth=3 suite=false
        text show plugin=vltl n=2 task=ground world=full
        text show plugin=tempobench task=tte n=1
        """,
    ),
    Chain(
        "show datasets",
        """
        generate plugin=timepuzzles n=4 out=items.jsonl
        show plugin=timepuzzles dataset=items.jsonl n=2 index=1
        show plugin=timepuzzles dataset=items.jsonl item=3
        show plugin=timepuzzles dataset=items.jsonl item=2 format=svg out=a/two.svg
        show plugin=timepuzzles dataset=items.jsonl item=2 format=svg out=two.svg
        !copy ltlbench/300_9_events_2_formula_len.csv nine.csv
        !head 4 vltl/traffic_light.jsonl lights.jsonl
        show plugin=ltlbench dataset=nine.csv n=2 index=7
        show plugin=ltlbench dataset=nine.csv item=3 format=nusmv
        show plugin=vltl dataset=lights.jsonl task=verify n=2
        text show plugin=vltl dataset=lights.jsonl item=1 format=text
        """,
    ),
)

GENERATE = (
    *(
        Chain(
            f"generate {name}",
            f"""
            generate plugin={name} n=10 out=a.jsonl
            generate plugin={name} n=6 seed=3 split=train unique=no out=b.jsonl
            generate plugin={name} n=9 out=folder shards=3 workers=2
            generate plugin={name} n=6 out=columns shards=2 to=parquet workers=1
            export plugin={name} n=5 out=c.jsonl
            export plugin={name} n=5 seed=1 to=parquet out=c.parquet
            export plugin={name} dataset=a.jsonl to=parquet out=d.parquet
            export plugin={name} dataset=folder n=7 out=e.jsonl
            show plugin={name} dataset=columns n=2 index=3
            text generate plugin={name} n=3 out=f.jsonl
            """,
        )
        for name in PLUGINS
    ),
    Chain(
        "generate settings",
        """
        !machines 8
        !copy tlsf/lily__lilydemo18.tlsf specs/one.tlsf
        !copy tlsf/lily__lilydemo06.tlsf specs/two.tlsf
        generate plugin=ltlbench n=10 operators=9 events=9 logic=full task=counterexample out=l.jsonl
        generate plugin=ltlbench n=10 preset=paper out=paper.jsonl
        generate plugin=ltlbench n=30 operators=1 events=2 twins=false logic=published out=few.jsonl
        generate plugin=tempobench n=6 task=tte length=12 out=tte.jsonl
        generate plugin=tempobench n=4 machines=machines out=machines.jsonl
        generate plugin=tempobench n=4 specs=specs min_states=1 seconds=30 out=specs.jsonl
        generate plugin=tempobench n=6 label=full effects=negative max_depth=3 min_depth=0 out=full.jsonl
        generate plugin=timepuzzles n=6 extra=[all] mode=explicit out=extra.jsonl
        generate plugin=timepuzzles n=6 necessary=all solutions=1 out=all.jsonl
        generate plugin=vltl n=6 task=verify scenario=traffic_light out=verify.jsonl
        generate plugin=vltl n=6 task=lift arity=3 out=lift.jsonl
        generate plugin=vltl n=4 depth=2 scenario=search_and_rescue out=deep.jsonl
        text generate plugin=vltl n=4 out=folder shards=2 task=ground
        """,
    ),
)

VERIFY = (
    Chain(
        "verify items",
        """
        verify plugin=ltlbench n=5 operators=4 workers=1
        verify plugin=tempobench n=3 max_states=6
        verify plugin=timepuzzles n=3
        verify plugin=vltl n=3
        verify plugin=vltl n=3 task=verify
        text verify plugin=ltlbench n=4 task=counterexample
        generate plugin=ltlbench n=6 out=items.jsonl
        verify plugin=ltlbench dataset=items.jsonl
        verify plugin=ltlbench dataset=items.jsonl n=3 report=page
        verify plugin=ltlbench dataset=items.jsonl report=none corrected=fixed.jsonl
        !replace items.jsonl changed.jsonl '"target":"True"' '"target":"False"'
        verify plugin=ltlbench dataset=changed.jsonl report=none
        text verify plugin=ltlbench dataset=changed.jsonl report=none
        """,
    ),
    Chain(
        "verify published forms with wrong labels",
        """
        export plugin=ltlbench n=6 wording=must to=published out=l.csv
        export plugin=tempobench n=4 max_states=6 to=published format=tempobench_jsonl out=t.jsonl
        export plugin=timepuzzles n=4 to=published out=p.json
        export plugin=vltl n=4 task=translate to=published format=vltl_jsonl out=v.jsonl
        !replace l.csv wrong.csv ,True, ,False,
        verify plugin=ltlbench dataset=l.csv report=none
        verify plugin=ltlbench dataset=wrong.csv corrected=right.csv report=audit
        verify plugin=ltlbench dataset=right.csv report=none
        verify plugin=tempobench dataset=t.jsonl report=none
        verify plugin=timepuzzles dataset=p.json corrected=fixed.json report=none
        verify plugin=vltl dataset=v.jsonl task=translate corrected=fixed.jsonl
        text verify plugin=ltlbench dataset=wrong.csv report=none
        """,
    ),
    Chain(
        "verify published sets",
        """
        !copy ltlbench/300_2_events_2_formula_len.csv two.csv
        !copy ltlbench/300_9_events_2_formula_len.csv nine.csv
        !head 12 vltl/warehouse.jsonl warehouse.jsonl
        !head 8 vltl/traffic_light.jsonl lights.jsonl
        !head 6 vltl/search_and_rescue.jsonl rescue.jsonl
        !head 10 vltl/pairs/conformal.jsonl pairs.jsonl
        verify plugin=ltlbench dataset=two.csv corrected=fixed.csv
        verify plugin=ltlbench dataset=nine.csv n=10 report=none
        verify plugin=vltl dataset=warehouse.jsonl task=translate corrected=fixed.jsonl report=audit
        verify plugin=vltl dataset=lights.jsonl task=verify report=none
        verify plugin=vltl dataset=rescue.jsonl task=lift report=none
        verify plugin=vltl dataset=pairs.jsonl report=none
        text verify plugin=vltl dataset=lights.jsonl task=verify report=none
        """,
    ),
)

EXPORT = (
    Chain(
        "export published forms",
        """
        export plugin=ltlbench n=5 wording=must logic=published to=published out=l.csv
        export plugin=ltlbench n=5 logic=full operators=6 to=published format=ltlbench_csv out=full.csv
        export plugin=tempobench n=4 max_states=6 to=published format=tempobench_jsonl out=t.jsonl
        export plugin=tempobench n=4 max_states=6 task=tte to=published format=tempobench_raw out=r.jsonl
        export plugin=tempobench n=4 max_states=6 label=full to=published format=tempobench_jsonl out=f.jsonl
        export plugin=timepuzzles n=4 mode=explicit to=published out=p.json
        export plugin=vltl n=4 task=translate to=published format=vltl_jsonl out=v.jsonl
        export plugin=vltl dataset=v.jsonl task=lift out=again.jsonl
        export plugin=ltlbench dataset=l.csv format=ltlbench_csv to=parquet out=l.parquet
        export plugin=timepuzzles dataset=p.json mode=explicit to=published out=p2.json
        text export plugin=ltlbench n=3 to=published out=m.csv
        """,
    ),
    Chain(
        "export to Hugging Face",
        """
        export plugin=ltlbench n=6 seed=2 to=huggingface out=l
        export plugin=vltl n=5 task=verify to=huggingface out=v
        text export plugin=timepuzzles n=4 split=train to=huggingface out=t
        !copy ltlbench/300_3_events_2_formula_len.csv three.csv
        export plugin=ltlbench dataset=three.csv n=20 to=huggingface out=published
        """,
    ),
)

TRACES = (
    Chain(
        "traces",
        """
        traces plugin=ltlbench n=6 out=l.jsonl
        traces plugin=ltlbench n=5 task=counterexample logic=full operators=5 split=test out=c.jsonl
        traces plugin=tempobench n=4 max_states=6 out=t.jsonl
        traces plugin=tempobench n=4 task=tte notation=table out=r.jsonl
        traces plugin=timepuzzles n=4 out=p.jsonl
        traces plugin=timepuzzles n=3 mode=explicit extra=[all] seed=3 out=e.jsonl
        traces plugin=vltl n=4 out=v.jsonl
        traces plugin=vltl n=3 task=lift out=lift.jsonl
        traces plugin=vltl n=3 task=verify out=verify.jsonl
        generate plugin=ltlbench n=5 out=items.jsonl
        traces plugin=ltlbench dataset=items.jsonl out=d.jsonl
        text traces plugin=ltlbench n=3 out=text.jsonl
        """,
    ),
)

CHAINS: tuple[Chain, ...] = (*RUN, *SHOW, *GENERATE, *VERIFY, *EXPORT, *TRACES)
"""The chains of this module; `behaviour_results` has those of commands that read logs, and the rest."""
