(* The checkers as OCaml. Numbers become machine integers: the driver reads no event, place or rank above 10^6,
   and the checkers only count up from these, so none overflows. *)

Require Import Ltl Table Lasso.
Require Extraction.
Require Import ExtrOcamlBasic ExtrOcamlNatInt.

Extraction Language OCaml.
Extraction "checkers.ml" check_table check_lasso.
