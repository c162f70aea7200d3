"""Words of each kind of text that is read, which mutations put anywhere."""

KEYS = tuple(
    r"""
plugin= n= seed= task= split= = , [ ] { } " ' true false yes no null ~ 1e3 .inf .nan 0x10 0b1 1_000 2001-02-03
2001-02-30 !!python/object &a *a << : | > %TAG - -1 1.5 strategy= format= gold=[lift,translate] arity=[1,2]
solutions=1-6 clues=3-6 families=[a] extra=[all] events= operators= edge_probability= temperature= preset=
logprobs= from_year= to_year= depth= trivial= dataset=x.csv index= item= wording= model= scenario= min_states=
""".split()  # noqa: SIM905
)
DATA = tuple(
    r"""
null true false NaN Infinity -0 1e999 { } [ ] , : " \u0000 \ud800 \" id plugin prompt target problem features
response completion sample_id 1 1.5 ; ' "" index notes family version seed split
""".split()  # noqa: SIM905
)
HOA = tuple(
    r"""
HOA: v1 States: Start: AP: 2 "a" "b" acc-name: all Acceptance: 0 t 1 Inf(0) properties: deterministic
controllable-AP: --BODY-- --END-- --ABORT-- State: [0&!1] [!0|1] [t] [f] [a&!b] @x Alias: {0} tool: name: & |
! ( ) /* */ -1 65 999999999 [ ] " \
""".split()  # noqa: SIM905
)
TLSF = tuple(
    r"""
INFO { } TITLE: DESCRIPTION: SEMANTICS: Mealy Moore Strict TARGET: TAGS: GLOBAL PARAMETERS DEFINITIONS MAIN
INPUTS OUTPUTS INITIALLY PRESET REQUIRE ASSERT ASSUME GUARANTEE INVARIANTS ; = == != <= < G F X U R W ! && ||
-> <-> [ ] ( ) FORALL EXISTS SUM PROD MIN MAX SIZE SIZEOF MINUS PLUS MUL DIV MOD ~ _ otherwise enum IN
{0,1..n} n i + - * / % in \ | |a| (+) (-) (\) elem && [i IN {0..n-1}] || X[3] F[1:2] G[0:n] true false // /*
*/ " , : .. r[0] r[n-1]
""".split()  # noqa: SIM905
)
LTL = tuple(
    r"""
G F X U R W M ! & | -> <-> && || => <=> ~ ( ) [] <> globally finally until release weak_until not and or
implies double_implies iff xor != unless next eventually always henceforth prop_1 prop_2 a b c true false 0 1
X[3] X^3 F[0,3] G[2,inf] X[!] \square \Diamond \bigcirc \mathcal{U} \lnot \land \rightarrow \top \bot $ □ ◇ ○
𝒰 ℛ ¬ ∧ ∨ → ↔ ⊤ ⊥ ["G", {"op": "args": "name": ] } , deliver(a,b) pickup(cup) And(a, Until( "a" GF XXa aUb V N
g f x u AG EF once A E strong_release tt ff True ⇒ ⟨ ⟩ ⬜ ≡ ⊕ == /\ \/
""".split()  # noqa: SIM905
)
LTLBENCH = tuple(
    r"""
event1 event2 event3 event0 event99 (event1) , ( ) -> True False holds not hold hypothesis C1 C2 C10 G F X U R
W M and then forever repeats cycle prefix loop path counterexample <eventA /> cannot must can is are e1 E2
therefore doesn't n't TRUE yes no valid invalid [ ] initial after other events always eventually next until
false.
""".split()  # noqa: SIM905
)
TIMEPUZZLES = tuple(
    r"""
2001-02-29 1900-01-01 2050-12-31 1800-01-01 20010203 2001/02/03 03.02.2001 3/2/2001 Feb February 29 1st 2nd
31st Monday Sunday of the and or to through until none no date solutions dates: valid ; , - – 2001 0000-00-00
9999-99-99 BC AD Sept. Mai märz 二月 年 月 日 T00:00:00Z W05 lunar Nisan Easter leap year except not BCE 12 30 Jan.
'01
""".split()  # noqa: SIM905
)
VLTL = tuple(
    r"""
prop_1 prop_2 prop_3 prop_0 prop_99 G F X U R W M ! & | -> <-> && || => <=> ( ) globally finally until release
next [] <> X[3] F[0,3] G[2,inf] \square \Diamond \rightarrow \land $ □ ◇ ○ ¬ ∧ ∨ → ↔ true false not and or
implies iff {"op": "G", "args": [ ] } satisfied violated idle deliver(a,b) pickup(cup) : , . the robot a b xor
!= == unless holds doesn't hold XX GF AG EF X^2 X[!] @ once since
""".split()  # noqa: SIM905
)
TEMPOBENCH = tuple(
    r"""
{ } [ ] : , " 'no constraints' 0 1 2 3 step0 step1 state current next defining inputs accepted yes no true
false null and or not ! & | -> <-> XOR ( ) across_steps accepted: Accepted: Rejected r_0 g_0 X XX XXX g
cycle{1} ; a b trace cause effect because if step then either neither unless otherwise any none nothing TRUE
""".split()  # noqa: SIM905
)
NUSMV = tuple(
    r"""
MODULE main VAR state case esac LTLSPEC V := init(state) next(state) ASSIGN
""".split()  # noqa: SIM905
)
SCENARIO = tuple(
    r"""
{to} &a *a <<: !!python/object:os.system - : | > %YAML 1.1 --- name: actions: phrases: types: combine: values:
article:
""".split()  # noqa: SIM905
)
FACTS = tuple(
    r"""
, " kind name event recurring start end years office source
""".split()  # noqa: SIM905
)

BY_PLUGIN = {
    "ltlbench": LTLBENCH,
    "timepuzzles": TIMEPUZZLES,
    "vltl": VLTL,
    "tempobench": TEMPOBENCH,
}
