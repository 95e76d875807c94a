#!/usr/bin/env bash
# Planted spills are found, declared ones are not, and the real compiler's report is read: spills_test.sh SOURCE [TOOLKIT]
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=tests/support/check.sh
. "$here/../support/check.sh"
source_folder=$1 toolkit=${2:-}
spills=$source_folder/scripts/check-spills.sh

printf 'sm_80 good 32 0 0 0 0\nsm_90 good 30 16 0 0 1024\n' >"$scratch/none"
printf 'sm_80 good 32 0 0 0 0\nsm_90 bad 255 8 8 0 0\n' >"$scratch/stores"
printf 'sm_80 bad 255 8 0 4 0\n' >"$scratch/loads"
echo '__global__ void bad() {}' >"$scratch/undeclared.cu"
printf '// spills: bad it has to hold 300 values\n__global__ void bad() {}\n' >"$scratch/declared.cu"
printf '// spills: bad\n' >"$scratch/unreasoned.cu"
printf '// spills: bad_other another kernel\n' >"$scratch/other.cu"

check_exit 0 "a stack without spills is no spill" "$spills" "$scratch/none" "$scratch/undeclared.cu"
check_exit 1 "spilled stores fail" "$spills" "$scratch/stores" "$scratch/undeclared.cu"
check_seen "with kernel, architecture and bytes" 'kernel bad spills for sm_90: 8 bytes stored, 0 bytes loaded'
check_exit 1 "spilled loads fail" "$spills" "$scratch/loads" "$scratch/undeclared.cu"
check_exit 0 "declared spills pass" "$spills" "$scratch/stores" "$scratch/declared.cu"
check_exit 1 "a declaration needs a reason" "$spills" "$scratch/stores" "$scratch/unreasoned.cu"
check_exit 1 "another kernel's declaration does not count" "$spills" "$scratch/stores" "$scratch/other.cu"

[ -n "$toolkit" ] || finish
# Eight registers a thread are far too few for these sums.
cat >"$scratch/spilling.cu" <<'CU'
extern "C" __global__ void __launch_bounds__(1024, 2) spilling(const float* in, float* out, int n) {
  float kept[64];
#pragma unroll
  for (int k = 0; k < 64; ++k) kept[k] = in[k * n + threadIdx.x];
#pragma unroll
  for (int k = 0; k < 64; ++k) out[k * n + threadIdx.x] = kept[k] * kept[63 - k] + kept[(k * 7) % 64];
}
CU
compile=$source_folder/scripts/compile-kernels.sh
check_exit 1 "a kernel that spills does not build" "$compile" "$toolkit" "$scratch/spilling.cu" "$scratch/out/spilling" compute_80 -- sm_80
check_seen "and is named" 'kernel spilling spills for sm_80'
check_exit 1 "nothing of it is left that a build could use" test -e "$scratch/out/spilling.fatbin"
{ echo '// spills: spilling a test of declarations'; cat "$scratch/spilling.cu"; } >"$scratch/declared_spilling.cu"
check_exit 0 "declared, it builds" "$compile" "$toolkit" "$scratch/declared_spilling.cu" "$scratch/out/declared" compute_80 -- sm_80
check "with its resources told" grep -q '^sm_80 spilling 32 ' "$scratch/out/declared.resources"
check "and plain PTX beside" grep -q '^.visible .entry spilling' "$scratch/out/declared.ptx"
finish
