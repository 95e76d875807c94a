#!/usr/bin/env bash
# Configuring on a machine without CUDA, played by hiding every place nvcc is found: without_cuda_test.sh SOURCE [CMAKE-OPTION…]
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=tests/support/check.sh
. "$here/../support/check.sh"
source_folder=$1
shift

clean_path=
IFS=: read -ra folders <<<"$PATH"
for folder in "${folders[@]}"; do [ -x "$folder/nvcc" ] || clean_path+=${clean_path:+:}$folder; done

configure() { # configure FOLDER CMAKE-OPTION…
  local folder="$scratch/$1"
  shift
  env -u CUDA_PATH -u CUDA_HOME PATH="$clean_path" cmake -S "$source_folder" -B "$folder" -G Ninja -DRIDGE_TESTS=OFF \
    -DCMAKE_IGNORE_PATH=/usr/local/cuda/bin "$@"
}
check_exit 0 "OFF configures" configure off -DRIDGE_CUDA=OFF "$@"
check_seen "and says so" 'CUDA kernels: off \(RIDGE_CUDA=OFF\)'
check_exit 1 "OFF looks for no nvcc" grep RIDGE_NVCC "$scratch/off/CMakeCache.txt"
check_exit 1 "OFF: no step of the build mentions CUDA's folder" grep -c /usr/local/cuda "$scratch/off/build.ninja"
check_exit 0 "AUTO configures without nvcc" configure auto -DRIDGE_CUDA=AUTO "$@"
check_seen "and says why there are no kernels" 'CUDA kernels: off \(no nvcc found'
check_exit 1 "ON without nvcc is an error" configure on -DRIDGE_CUDA=ON "$@"
check_seen "that says what to do" 'RIDGE_CUDA=ON, but nvcc'
finish
