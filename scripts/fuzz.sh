#!/usr/bin/env bash
# Feeds every reader malformed text: fuzz.sh SECONDS JOBS builds all libFuzzer targets with clang in build/fuzz and runs each for
# that long, from seeds written by our own tools. A crash ends it and leaves its input there. FUZZ_TARGETS="rules google" runs these alone.
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
cmake --preset dev -B build/fuzz -DCMAKE_C_COMPILER=clang -DCMAKE_CXX_COMPILER=clang++ -DRIDGE_FUZZ=ON
corpora=("${targets[@]/#/fuzz_}")
cmake --build build/fuzz --parallel "$jobs" --target "${corpora[@]/%/_corpus}"
for target in "${targets[@]}"; do
  read -ra run <<< "${command[$target]}"
  printf '\n==== fuzz_%s: %s s\n' "$target" "$seconds"
  (cd "build/fuzz/${run[0]}" && "${run[@]:1}" -max_total_time="$seconds" -timeout=20 -rss_limit_mb=2048 -print_final_stats=1)
done
