#!/usr/bin/env bash
# Gates Ridge's own host code, as any project with Google Benchmark programs can be: every run is a fresh process of a program in
# BUILD/bench/self, and ridge judges what they report. The exit status is that of ridge.
#   gate-self.sh BUILD save [RUNS]          keep RUNS runs (10) as the baseline
#   gate-self.sh BUILD check [RUNS]         judge RUNS new runs (3) against it
#   gate-self.sh BUILD ab OLD_BUILD [RUNS]  judge this build against an older one, both interleaved, RUNS of each (10)
# SELF_STORE is the baselines' folder (BUILD/self-baselines), SELF_PROGRAMS what is run (host), SELF_MIN_TIME the seconds of
# each of five repetitions (0.05).
set -euo pipefail
usage() { sed -n '2,8s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" >&2; exit 2; }
[ $# -ge 2 ] || usage
build=$1 action=$2
shift 2
store=${SELF_STORE:-$build/self-baselines}
read -ra programs <<< "${SELF_PROGRAMS:-host}"
# Debian's benchmark library calls every program that uses it a debug build. What ours is, CMake knows.
build_type=$(sed -n 's/^CMAKE_BUILD_TYPE:[^=]*=//p' "$build/CMakeCache.txt")
arguments=("--benchmark_min_time=${SELF_MIN_TIME:-0.05}" --benchmark_repetitions=5 --benchmark_report_aggregates_only=true
  "--benchmark_context=build_type=${build_type:-unknown}")
scratch=$(mktemp -d)
trap 'rm -rf -- "$scratch"' EXIT

measure() { # measure RUNS: reports of every program, in a folder of its own
  local run program
  for program in "${programs[@]}"; do mkdir -p "$scratch/$program"; done
  for ((run = 1; run <= $1; ++run)); do
    for program in "${programs[@]}"; do
      printf 'gate-self: %s: run %d of %d\n' "$program" "$run" "$1" >&2
      "$build/bench/self/self_$program" "${arguments[@]}" --benchmark_out="$scratch/$program/$(printf %03d "$run").json" \
        --benchmark_out_format=json > "$scratch/out" 2>&1 || { cat "$scratch/out" >&2; exit 4; }
    done
  done
}

worst=0
judged() { # judged COMMAND…: of several programs, the strongest status counts; the order is that of ridge --help
  local status=0 each
  "$@" || status=$?
  for each in 0 6 3 4 1 2; do
    if [ "$worst" -eq "$each" ]; then worst=$status; fi
    if [ "$status" -eq "$each" ]; then break; fi
  done
}

case $action in
  save)
    measure "${1:-10}"
    for program in "${programs[@]}"; do judged "$build/ridge" baseline save --store "$store" --from "$scratch/$program"; done
    ;;
  check)
    measure "${1:-3}"
    for program in "${programs[@]}"; do
      judged "$build/ridge" compare "$store/*/self-${program//_/-}/*.json" "$scratch/$program"
    done
    ;;
  ab)
    [ $# -ge 1 ] || usage
    for program in "${programs[@]}"; do
      judged "$build/ridge" ab --a "$1/bench/self/self_$program" --b "$build/bench/self/self_$program" --runs "${2:-10}" -- "${arguments[@]}"
    done
    ;;
  *) usage ;;
esac
exit "$worst"
