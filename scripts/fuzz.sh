#!/usr/bin/env bash
# Feeds every reader malformed text: fuzz.sh SECONDS JOBS builds all libFuzzer targets with clang in build/fuzz and runs each for
# that long, JOBS at a time, from seeds of real runs. A crash fails it and leaves its input there. FUZZ_TARGETS="rules google" runs these alone.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
seconds=${1:-60} jobs=${2:-$(nproc)}

declare -A command=( # by target: the folder under build/fuzz, then what to run there
  [report]="reports/json/fuzz ./fuzz_report corpus"
  [google]="reports/inputs/fuzz ./fuzz_google -dict=google.dict google"
  [rules]="reports/inputs/fuzz ./fuzz_rules -dict=rules.dict rules"
  [ptx]="kernels/ptx/testing/fuzz ./fuzz_ptx -dict=ptx.dict corpus"
)
read -ra targets <<< "${FUZZ_TARGETS:-report google rules ptx}"
cmake --preset dev -B build/fuzz -DCMAKE_C_COMPILER=clang -DCMAKE_CXX_COMPILER=clang++ -DRIDGE_FUZZ=ON \
  -DCMAKE_CXX_FLAGS_RELWITHDEBINFO="-O1 -g1"
corpora=("${targets[@]/#/fuzz_}")
cmake --build build/fuzz --parallel "$jobs" --target "${corpora[@]/%/_corpus}"

fuzzed() { # fuzzed TARGET: its figures, or the end of its log where it stopped
  local target=$1 log=$PWD/build/fuzz/fuzz_$1.log run
  read -ra run <<< "${command[$target]}"
  if (cd "build/fuzz/${run[0]}" && "${run[@]:1}" -max_total_time="$seconds" -timeout=20 -rss_limit_mb=2048 -print_final_stats=1) > "$log" 2>&1; then
    printf 'fuzz_%s: %s s: %s\n' "$target" "$seconds" "$(sed -n 's/^stat:://p' "$log" | tr -s ' \n' ' ')"
  else
    printf 'FAILED: fuzz_%s; the end of %s:\n' "$target" "$log"
    tail -n 40 "$log"
    return 1
  fi
}

running=0 failed=0
for target in "${targets[@]}"; do
  if [ "$running" -ge "$jobs" ]; then wait -n || failed=1; running=$((running - 1)); fi
  fuzzed "$target" &
  running=$((running + 1))
done
while [ "$running" -gt 0 ]; do wait -n || failed=1; running=$((running - 1)); done
exit "$failed"
