#!/usr/bin/env bash
# Feeds the readers of reports and of PTX malformed text: fuzz.sh SECONDS JOBS builds both libFuzzer targets with clang in
# build/fuzz and runs each for that long, from seeds written by our own tools. A crash ends it and leaves its input there.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
seconds=${1:-60} jobs=${2:-$(nproc)}

cmake --preset dev -B build/fuzz -DCMAKE_C_COMPILER=clang -DCMAKE_CXX_COMPILER=clang++ -DRIDGE_FUZZ=ON
cmake --build build/fuzz --parallel "$jobs" --target fuzz_report_corpus fuzz_ptx_corpus
limits=(-max_total_time="$seconds" -timeout=20 -rss_limit_mb=2048)
(cd build/fuzz/reports/json/fuzz && ./fuzz_report "${limits[@]}" corpus)
(cd build/fuzz/kernels/ptx/testing/fuzz && ./fuzz_ptx "${limits[@]}" -dict=ptx.dict corpus)
