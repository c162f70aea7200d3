#!/usr/bin/env bash
# Proves the theorems anew with Coq and builds the checkers that they are about: ./check.sh [FOLDER, else build].
set -euo pipefail
cd "$(dirname "$0")"
folder=${1:-build}
mkdir -p "$folder"
if grep -nE '\b(Admitted|admit|Axiom|Parameter)\b' ./*.v; then
    echo "something is assumed, not proved" >&2
    exit 1
fi
cp ./*.v driver.ml "$folder"
cd "$folder"
for name in Ltl Table Lasso Extract; do coqc -q "$name.v"; done
printf '%s\n' 'Require Import Table Lasso.' 'Print Assumptions check_table_sound.' 'Print Assumptions check_lasso_sound.' \
    > Assumptions.v
coqc -q Assumptions.v
ocamlfind ocamlopt -w -a checkers.mli checkers.ml driver.ml -o checker 2> /dev/null ||
    ocamlopt -w -a checkers.mli checkers.ml driver.ml -o checker
