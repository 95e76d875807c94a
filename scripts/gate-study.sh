#!/bin/sh
# Runs the gate's simulation study and puts its tables into docs/method/gate.md; a second argument scales the trials.
set -eu
build=$1
scale=${2:-1}
page=docs/method/gate.md
tables=$(mktemp)
result=$(mktemp)
trap 'rm -f "$tables" "$result"' EXIT
"$build/reports/compare/study/gate_study" "$scale" > "$tables"
awk -v tables="$tables" '
  /<!-- gate-study begin -->/ { print; print ""; while ((getline line < tables) > 0) print line; print ""; inside = 1 }
  /<!-- gate-study end -->/ { inside = 0 }
  !inside || /<!-- gate-study end -->/ { if (!/<!-- gate-study begin -->/) print }
' "$page" > "$result"
cat "$result" > "$page"
