#!/usr/bin/env bash
# How often a rank is called late where none is: late-ranks.sh [RUNS [ARGUMENTS OF RIDGE ALLREDUCE…]]
# Runs a short all-reduce between the threads of this machine again and again (40 times) and prints how many runs named a rank, and how
# many records had one that was late in them. Try it on a machine at rest, and beside work: with BESIDE=N, N programs that spin are started
# along. RIDGE=path of the binary.
set -euo pipefail
export LC_ALL=C
cd "$(dirname "${BASH_SOURCE[0]}")/.."
ridge=${RIDGE:-build/release/ridge}
runs=${1:-40}
shift || true
[ $# -gt 0 ] || set -- --size 8,64Ki,16Mi --rounds 3
arguments=$*
work=$(mktemp -d)
beside=()
runs_done=0 named=0 records=0 late=0
finish() { # ended early it tells of the runs that were
  [ ${#beside[@]} -eq 0 ] || kill "${beside[@]}" 2>/dev/null || true
  rm -rf "$work"
  [ "$runs_done" -eq 0 ] || printf '%d of %d runs named a rank, %d of %d records had a late one: ridge allreduce %s%s\n' "$named" "$runs_done" "$late" \
    "$records" "$arguments" "$([ "${BESIDE:-0}" -eq 0 ] || printf ', beside %s programs that spin' "$BESIDE")"
}
trap finish EXIT
[ -x "$ridge" ] || { echo "late-ranks: no $ridge: build it, or set RIDGE" >&2; exit 2; }
for ((i = 0; i < ${BESIDE:-0}; ++i)); do
  (while :; do :; done) &
  beside+=($!)
done

count() { { grep -oE "$1" "$work/r.json" || true; } | wc -l; }

for ((run = 1; run <= runs; ++run)); do
  "$ridge" allreduce --device cpu --quiet "$@" --json "$work/r.json" >"$work/out" 2>&1 || { cat "$work/out" >&2; exit 4; }
  runs_done=$run
  who=$(grep -oE 'the others wait for rank [0-9]+ [^"]*' "$work/r.json" || true)
  if [ -n "$who" ]; then
    named=$((named + 1))
    printf 'run %d: %s\n' "$run" "$who"
  fi
  records=$((records + $(count '"time_p95"')))
  late=$((late + $(count '"late": *true')))
done
