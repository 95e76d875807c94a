#!/usr/bin/env bash
# The real binary with a driver that it has to open, played by the reference machine: standin_test.sh RIDGE FOLDER-OF-LIBRARIES
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=tests/support/check.sh
. "$here/../support/check.sh"
ridge=$1 libraries=$2
export HOME=$scratch XDG_STATE_HOME=$scratch XDG_CACHE_HOME=$scratch NO_COLOR=1 COLUMNS=200

# with FOLDER [VARIABLE=VALUE…] -- ARGUMENTS…: ridge with the libraries of that folder first in its path
with() {
  local folder=$1 variables=()
  shift
  while [ "$1" != -- ]; do variables+=("$1"); shift; done
  shift
  env LD_LIBRARY_PATH="$libraries/$folder${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}" "${variables[@]}" "$ridge" "$@"
}
small=(bandwidth copy --size 64Ki --dtype f32 --rounds 3 --min-time 0.001 --quiet)

check_exit 0 "info sees the GPUs" with whole RIDGE_STANDIN_GPUS=2 -- info
check_seen "with their model" 'Ridge stand-in GPU'
check_seen "the link at most" 'link generation 5 x 16'
check_seen "the link now" 'link now generation 1 x8'
check_seen "the power limit" 'power limit 300 W'
check_seen "the driver's version" '580\.0\.0-stand-in'
check_seen "and what joins them" 'cuda:1 NVLink x2'

check_exit 0 "a benchmark runs on cuda:0" with whole -- "${small[@]}" --device cuda:0 --json "$scratch/ok.json"
check "its record is of the GPU" grep -q '"device": *"cuda:0"' "$scratch/ok.json"
check "its answer was verified" grep -q '"status": *"passed"' "$scratch/ok.json"
check "with the clock by spin probe" grep -Eq '"clock_hz": *[0-9]' "$scratch/ok.json"
check_exit 0 "without being asked, the GPU is taken" with whole -- "${small[@]}" --json "$scratch/auto.json"
check "and not the CPU" grep -q '"device": *"cuda:0"' "$scratch/auto.json"

check_exit 5 "an old driver is skipped" with whole RIDGE_STANDIN_VERSION=12040 -- "${small[@]}" --device cuda:0
check_seen "with both versions" 'driver 12\.4 < 13\.0'
check_exit 5 "a driver that lacks a function is skipped" with lacking -- "${small[@]}" --device cuda:0
check_seen "with its name" 'has no cuGraphLaunch'
check_exit 5 "a cuBLASLt of another version is skipped" with whole -- gemm float --m 64 --dtype f32 --engine library --device cuda:0 --quiet
check_seen "with what it lacks" 'libcublasLt\.so\.13 has no cublasLt'
check_exit 5 "and an NCCL" with whole -- allreduce --size 1Ki --ranks 1 --device cuda:0 --quiet
check_seen "with what it lacks, too" 'libnccl\.so\.2 has no nccl'
check_exit 5 "no GPU is skipped" with whole RIDGE_STANDIN_GPUS=0 -- "${small[@]}" --device cuda:0
check_seen "with the reason" 'finds no GPU'
check_exit 5 "a second GPU that is not there is skipped" with whole -- "${small[@]}" --device cuda:1
check_seen "by name" 'there is no device cuda:1'

check_exit 4 "a call that fails is a failed measurement" \
  with whole RIDGE_STANDIN_FAIL=cuLaunchKernel:3:719 -- "${small[@]}" --device cuda:0
check_seen "with the call and its status" 'cuLaunchKernel: CUDA_ERROR_LAUNCH_FAILED'
check_exit 4 "a size that does not fit is failed" \
  with whole RIDGE_STANDIN_MEMORY=1048576 -- bandwidth copy --size 16Mi --device cuda:0 --quiet
check_seen "with needed and available bytes" 'needs [0-9]+ bytes, [0-9]+ bytes available'

check_exit 0 "NVML that supports nothing leaves facts unknown" with whole RIDGE_STANDIN_GPUS=2 RIDGE_STANDIN_NVML=unsupported -- info
check_seen "but not what the driver tells" 'cuda:1 direct'
check_exit 0 "and measuring goes on" with whole RIDGE_STANDIN_NVML=unsupported -- "${small[@]}" --device cuda:0 --json "$scratch/unsupported.json"
check_exit 1 "a fact that was not told is not there" grep -q '"throttled": *\(true\|false\)' "$scratch/unsupported.json"
check_exit 0 "NVML that does not start is said" with whole RIDGE_STANDIN_NVML=refused -- info
check_seen "with its reason" 'Driver Not Loaded'
check_exit 4 "a lost GPU fails the measurement" with whole RIDGE_STANDIN_NVML=lost -- "${small[@]}" --device cuda:0
check_seen "in words" 'GPU is lost'

check_exit 0 "throttled in every sample is measured" with whole RIDGE_STANDIN_NVML=throttled -- "${small[@]}" --device cuda:0 --json "$scratch/throttled.json"
check "and suspect" grep -q '"status": *"suspect"' "$scratch/throttled.json"
check "with the reason" grep -q 'hardware thermal slowdown' "$scratch/throttled.json"
check_exit 0 "throttled in some is measured" with whole RIDGE_STANDIN_NVML=sometimes -- "${small[@]}" --device cuda:0 --json "$scratch/sometimes.json"
check "and told" grep -q '"throttled": *true' "$scratch/sometimes.json"

check_exit 0 "a driver under CUDA_LAUNCH_BLOCKING is measured" with whole CUDA_LAUNCH_BLOCKING=1 -- "${small[@]}" --device cuda:0 --json "$scratch/blocking.json"
check "and that launch gaps are inside is said" grep -q 'launch gaps are inside' "$scratch/blocking.json"

# Transfers: each direction, each GPU, what overlaps, on the memory node that the driver names.
copies=(--size 64Ki --rounds 3 --min-time 0.001 --quiet)
check_exit 0 "copies run between host and both GPUs" with whole RIDGE_STANDIN_GPUS=2 RIDGE_STANDIN_NUMA_NODE=0 -- \
  transfer host --gpus 1,all --memory pinned,pageable "${copies[@]}" --device cuda:0 --json "$scratch/host.json"
for metric in bandwidth_to_device bandwidth_to_host bandwidth_to_host_cuda:1 overlap; do
  check "with $metric" grep -q "\"name\": *\"$metric\"" "$scratch/host.json"
done
check_exit 1 "every one of them was verified" grep -q '"status": *"failed"' "$scratch/host.json"
check_exit 0 "copies run between every two of three GPUs" with whole RIDGE_STANDIN_GPUS=3 -- \
  transfer peer --peer all "${copies[@]}" --device cuda --json "$scratch/peer.json"
check_seen "as a matrix" 'cuda:2 +[0-9.]+\??  +[0-9.]+\?? +-$'
check "which are six pairs, by engine and kernel, one way and both" test "$(grep -o '"device": *"cuda:[0-2]"' "$scratch/peer.json" | wc -l)" -eq 24
check "that tells how far both ways overlap" grep -q '"name": *"overlap"' "$scratch/peer.json"
check_exit 0 "the time of a small copy" with whole -- transfer latency --size 4 --rounds 3 --min-time 0.001 --quiet --device cuda:0

check_exit 0 "arrays are read on both GPUs at once" with whole RIDGE_STANDIN_GPUS=2 -- bandwidth read --gpus 1,all \
  "${copies[@]}" --device cuda:0 --json "$scratch/both.json"
for metric in bandwidth_cuda:0 bandwidth_cuda:1; do
  check "with $metric" grep -q "\"name\": *\"$metric\"" "$scratch/both.json"
done

# What a user runs on a GPU node.
check_exit 5 "gpu-check says that there is no GPU" env RIDGE="$ridge" bash "$here/../../scripts/gpu-check.sh" "$scratch/none"
check_exit 0 "gpu-check runs everything on two GPUs" env RIDGE="$ridge" RIDGE_CHECK_SMALL=1 RIDGE_STANDIN_GPUS=2 \
  LD_LIBRARY_PATH="$libraries/whole${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}" bash "$here/../../scripts/gpu-check.sh" "$scratch/results"
check_seen "naming them" 'GPUs: cuda:0 cuda:1'
for result in cuda-1-tests-bandwidth cuda-1-node pairs all-gpus-at-once all-gpus-bandwidth; do
  check "and leaves $result" test -s "$scratch/results/$result.json"
done
check_exit 4 "gpu-check fails when a copy does" env RIDGE="$ridge" RIDGE_CHECK_SMALL=1 RIDGE_STANDIN_FAIL=cuMemcpyDtoHAsync:1:1 \
  LD_LIBRARY_PATH="$libraries/whole" bash "$here/../../scripts/gpu-check.sh" "$scratch/broken"
finish
