#!/usr/bin/env bash
# The machine code of wgmma and tcgen05, which runs nowhere here: each kernel holds its matrix instruction as often as its PTX
# does, one after the other in its loop; what ptxas would slow down does not build: matrix_code_test.sh SOURCE [TOOLKIT]
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=tests/support/check.sh
. "$here/../support/check.sh"
source_folder=$1 toolkit=${2:-}
[ -n "$toolkit" ] || skip "needs a CUDA Toolkit"
kernels=$source_folder/kernels/roofline

# The toolkit here has no disassembler, so instructions are told by the lowest 12 bits of their 16 bytes: 9f0 is HGMMA (16-bit
# and tf32 operands), 9f1 IGMMA, 9f3 QGMMA, 5ea UTCHMMA, UTCIMMA and UTCQMMA with both operands in shared memory.
opcode_of() {
  case $1 in
    wgmma_int8) echo 9f1 ;;
    wgmma_e4m3) echo 9f3 ;;
    wgmma_*) echo 9f0 ;;
    tcgen05_*) echo 5ea ;;
  esac
}
opcodes() { # opcodes CUBIN KERNEL: one a line, in order
  local at size
  read -r at size < <(readelf -SW "$1" 2>/dev/null | sed 's/^ *\[ *[0-9]*\] *//' | awk -v name=".text.$2" '$1 == name { print $4, $5 }')
  od -An -v -tx8 -w16 -j "$((16#$at))" -N "$((16#$size))" "$1" | awk '{ print substr($1, 14) }'
}
count_of() { grep -c "^$1\$" "$2"; }
# How many of them follow each other with at most eight other instructions between two.
longest_run() {
  awk -v wanted="$1" '$1 == wanted { run = last && NR - last <= 9 ? run + 1 : 1; last = NR; if (run > most) most = run } END { print most + 0 }' "$2"
}

types="bf16 f16 tf32 e4m3"
for instruction in "wgmma 90a wgmma.mma_async $types int8" "tcgen05 100a tcgen05.mma.cta_group $types int8" \
  "tcgen05 103a tcgen05.mma.cta_group $types"; do
  read -r name architecture text dtypes <<<"$instruction"
  ptx=$scratch/$name.ptx cubin=$scratch/$name.cubin
  check_exit 0 "$name.cu is PTX for compute_$architecture" "$toolkit/bin/nvcc" -std=c++20 -O3 -I "$source_folder" -ptx "-arch=compute_$architecture" \
    -o "$ptx" "$kernels/$name.cu"
  check_exit 0 "which ptxas takes" "$toolkit/bin/ptxas" -v "-arch=sm_$architecture" "$ptx" -o "$cubin"
  cp "$scratch/.seen" "$scratch/said"
  check_exit 1 "without a word on what it had to add or to slow down" grep -E "\(C7[0-9]+\)" "$scratch/said"
  check "of the types that sm_$architecture multiplies, and no other" test "$(grep -c '^\.visible \.entry\|^\.entry' "$ptx")" \
    = "$(wc -w <<<"$dtypes")"
  for dtype in $dtypes; do
    kernel=${name}_$dtype
    opcodes "$cubin" "$kernel" >"$scratch/code"
    opcode=$(opcode_of "$kernel")
    in_ptx=$(awk -v entry=".entry $kernel(" 'index($0, ".entry ") { on = index($0, entry) > 0 } on' "$ptx" | grep -c "$text")
    check "$kernel: its PTX has the eight of a loop and the two of the rest" test "$in_ptx" = 10
    check "$kernel: so has its machine code" test "$(count_of "$opcode" "$scratch/code")" = "$in_ptx"
    # An instruction is at work for 128 cycles; the few that stand between two are issued meanwhile.
    check "$kernel: with next to nothing between those of the loop" test "$(longest_run "$opcode" "$scratch/code")" -ge 8
  done
done

# Built for several architectures, the file holds machine code of its own alone: the first entry of the container is machine code
# (2) of architecture 90.
check_exit 0 "built for several architectures" "$source_folder/scripts/compile-kernels.sh" "$toolkit" "$kernels/wgmma.cu" "$scratch/out/wgmma" \
  sm_80 sm_90 sm_90a compute_80
check "wgmma has code of sm_90a and no other" test "$(cut -d' ' -f1 "$scratch/out/wgmma.resources" | sort -u)" = sm_90a
check "as the container says" test "$(od -An -tu2 -j16 -N2 "$scratch/out/wgmma.fatbin")-$(od -An -tu4 -j44 -N4 "$scratch/out/wgmma.fatbin")" \
  = "     2-         90"

check_exit 0 "a kernel that all have, for the same" "$source_folder/scripts/compile-kernels.sh" "$toolkit" "$kernels/grid.cu" \
  "$scratch/out/grid" sm_90 sm_90a sm_100a compute_80
check "is compiled for sm_90, which an sm_90a runs, and for sm_100a, which would have nothing else" \
  test "$(cut -d' ' -f1 "$scratch/out/grid.resources" | sort -u | tr '\n' ' ')" = "sm_100a sm_90 "

# Sums that threads touch between the instructions: ptxas then makes each wait for the one before it, and says so.
sed 's|I::multiply(sum, left\[s\], right\[s\]);|{ I::multiply(sum, left[s], right[s]); sum[0] += 1; }|' "$kernels/wgmma.cu" \
  >"$scratch/slow.cu"
check_exit 1 "sums touched in between do not build" "$source_folder/scripts/compile-kernels.sh" "$toolkit" "$scratch/slow.cu" "$scratch/out/slow" \
  compute_80 -- sm_80
check_seen "with the reason of ptxas" 'wgmma.mma_async instructions are serialized'
finish
