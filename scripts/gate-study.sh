#!/bin/sh
# Runs the gate's studies, simulated and recorded, and puts their tables into docs/method/gate.md; a second argument scales the trials.
set -eu
build=$1
scale=${2:-1}
page=docs/method/gate.md
tables=$(mktemp)
result=$(mktemp)
trap 'rm -f "$tables" "$result"' EXIT

put() { # put MARK: the tables between the page's two comments of that name
  awk -v tables="$tables" -v mark="$1" '
    $0 == "<!-- " mark " begin -->" { print; print ""; while ((getline line < tables) > 0) print line; print ""; inside = 1; next }
    $0 == "<!-- " mark " end -->" { inside = 0 }
    !inside { print }
  ' "$page" > "$result"
  cat "$result" > "$page"
}

"$build/reports/compare/study/gate_splits" reports/compare/study/recorded/ci.tsv > "$tables"
put gate-splits
"$build/reports/compare/study/gate_splits" reports/compare/study/recorded/ci-20.tsv > "$tables"
put gate-splits-20
"$build/reports/compare/study/gate_splits" reports/compare/study/recorded/ci-busy.tsv > "$tables"
put gate-splits-busy
"$build/reports/compare/study/gate_study" "$scale" > "$tables"
put gate-study
