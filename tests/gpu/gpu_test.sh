#!/usr/bin/env bash
# scripts/gpu-check.sh on the GPUs of this machine, at small sizes: gpu_test.sh RIDGE
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=tests/support/check.sh
. "$here/../support/check.sh"
export HOME=$scratch XDG_STATE_HOME=$scratch XDG_CACHE_HOME=$scratch

status=0
RIDGE=$1 RIDGE_CHECK_SMALL=1 bash "$here/../../scripts/gpu-check.sh" "$scratch/results" >"$scratch/said" || status=$?
cat "$scratch/said"
[ "$status" -ne 5 ] || skip "$(tail -n 1 "$scratch/said")"
check "every step passed" test "$status" -eq 0
check "the first GPU's answers were verified" grep -q '"status": *"passed"' "$scratch/results/cuda-0-tests-bandwidth.json"
check_exit 1 "and none was wrong" grep -rq '"status": *"failed"' "$scratch/results" --include='*.json'
finish
