#!/usr/bin/env bash
# What to run on a new GPU node, from the unpacked package or a build folder: checks every benchmark on every GPU, measures
# the node suite on each, and leaves one folder of results. Needs nothing there but the NVIDIA driver.
#   gpu-check.sh [RESULTS-FOLDER]      RIDGE=path to the binary, where it is not beside this script
#                                      RIDGE_CHECK_SMALL=1 only tries the script itself: small sizes, few rounds
# Exit status: 0 all passed, 1 a wrong answer or a failed check, 4 a measurement failed, 5 no GPU was found.
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
ridge=${RIDGE:-}
for candidate in "$here/../../bin/ridge" "$here/../bin/ridge" "$here/../build/release/ridge"; do
  [ -n "$ridge" ] || { [ -x "$candidate" ] && ridge=$candidate; }
done
[ -n "$ridge" ] || { echo "gpu-check: no ridge found; set RIDGE to the binary" >&2; exit 2; }
largest=1Gi cold=64Mi peers=64Mi suite=(--suite node)
if [ -n "${RIDGE_CHECK_SMALL:-}" ]; then
  largest=64Ki cold=64Ki peers=64Ki suite=(--suite quick --rounds 1 --min-time 1ms)
fi
results=${1:-gpu-check-$(hostname)-$(date -u +%Y%m%dT%H%M%SZ)}
mkdir -p "$results" || exit 2
exec 3>&1 >"$results/gpu-check.log" 2>&1
say() { printf '%s\n' "$*"; printf '%s\n' "$*" >&3; }

worst=0
step() { # step NAME COMMAND…: keeps what it says, goes on after a failure
  local name=$1 status=0
  shift
  printf '\n==== %s: %s\n' "$name" "$*"
  "$@" >"$results/$name.txt" 2>"$results/$name.err" || status=$?
  cat "$results/$name.err"
  case $status in
    0) say "ok:     $name" ;;
    5) say "skipped: $name: $(tail -n 1 "$results/$name.err")" ;;
    *) say "FAILED: $name: exit status $status: $(tail -n 1 "$results/$name.err")"
       if [ "$worst" -eq 0 ] || [ "$status" -lt "$worst" ]; then worst=$status; fi ;;
  esac
  return 0
}

step version "$ridge" --version
step info "$ridge" info
"$ridge" info --format json >"$results/info.json"
# One GPU after the other, as CUDA numbers them; the first one that is not there ends the list.
gpus=()
for index in $(seq 0 63); do
  "$ridge" bandwidth read --device "cuda:$index" --size 1Mi --rounds 1 --quiet >"$results/probe.txt" 2>&1
  status=$?
  [ "$status" -ne 5 ] || break
  gpus+=("cuda:$index")
done
if [ ${#gpus[@]} -eq 0 ]; then
  say "no GPU: $(tail -n 1 "$results/probe.txt")"
  exit 5
fi
rm -f "$results/probe.txt"
say "GPUs: ${gpus[*]}"

for gpu in "${gpus[@]}"; do
  name=${gpu/:/-}
  # The tests: every answer checked, at sizes around a vector, a warp, a block, an odd one, and one beyond any cache.
  step "$name-tests-bandwidth" "$ridge" bandwidth --device "$gpu" --dtype f32,f64 --rounds 1 --min-time 1ms --quiet \
    --size "8,24,248,256,264,8200,1000000,$largest" --json "$results/$name-tests-bandwidth.json"
  step "$name-tests-cold" "$ridge" bandwidth --device "$gpu" --cache cold --rounds 3 --quiet --size "$cold" \
    --json "$results/$name-tests-cold.json"
  step "$name-tests-transfer" "$ridge" transfer --device "$gpu" --rounds 1 --min-time 1ms --quiet --size 4096,1000000 \
    --json "$results/$name-tests-transfer.json"
  step "$name-node" "$ridge" run "${suite[@]}" --device "$gpu" --quiet --json "$results/$name-node.json"
done
if [ ${#gpus[@]} -gt 1 ]; then
  step pairs "$ridge" transfer peer --device cuda --peer all --size "$peers" --quiet --json "$results/pairs.json"
  step all-gpus-bandwidth "$ridge" bandwidth read copy triad --device cuda:0 --gpus 1,all --size "$largest" --quiet \
    --json "$results/all-gpus-bandwidth.json"
  step all-gpus-at-once "$ridge" transfer host --device cuda:0 --gpus all --size "$peers" --quiet --json "$results/all-gpus-at-once.json"
fi
say "results: $results"
exit "$worst"
