#!/usr/bin/env bash
# Compiles one file of CUDA kernels for every architecture of a list, step by step, so that each step's product can be kept:
#   compile-kernels.sh TOOLKIT SOURCE STEM ARCHITECTURES… [-- CHECKED ARCHITECTURES…]
# makes STEM.ptx (compute_80, what the reference machine executes), STEM.fatbin (machine code of each sm_ architecture and the
# PTX of each compute_ one), STEM.resources (what ptxas says each kernel needs) and STEM.d (a dependency file).
# Architectures after -- are compiled for their resources only. Fails when a kernel spills that is not declared to, or when
# ptxas says that it is slowed down.
# A source whose kernels only some architectures have says so by a line `// architectures: sm_90a …`: it is compiled for those
# in every build, and embedded for those that the build lists. Other sources are compiled for sm_90a only where nothing in the
# list runs there as well.
set -euo pipefail
toolkit=$1 source=$2 stem=$3
shift 3
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
nvcc=$toolkit/bin/nvcc

only=$(sed -n 's|^// architectures: ||p' "$source")

mkdir -p "$(dirname "$stem")"
work=$(mktemp -d "$stem.XXXXXX")
trap 'rm -rf "$work"' EXIT

# PTX of one virtual architecture. The path in it is relative to the source tree: it ends up in the binary and in messages.
compile_ptx() {
  local number=$1
  shift
  "$nvcc" -std=c++20 -O3 -lineinfo -Werror all-warnings -I "$root" -ptx -arch="compute_$number" "$@" -o "$work/$number.raw" "$source"
  sed "s|\"$root/|\"|" "$work/$number.raw" >"$work/$number.ptx"
}
# STEM.resources: architecture kernel registers stack-bytes spill-store-bytes spill-load-bytes shared-bytes
compile_machine_code() {
  local number=$1
  "$toolkit/bin/ptxas" -v -lineinfo -arch="sm_$number" "$work/$number.ptx" -o "$work/$number.cubin" 2>"$work/$number.log" ||
    { cat "$work/$number.log" >&2; exit 1; }
  if grep -i "performance loss" "$work/$number.log" >&2; then exit 1; fi
  awk -v arch="sm_$number" -f "$root/scripts/ptxas-resources.awk" "$work/$number.log" >>"$work/resources"
}

# Whether one of the list that is no sm_Na has machine code that runs on sm_N: of the same generation, not newer.
runs_by_another() {
  local number=${1#sm_} other
  number=${number%a}
  for other in "${listed[@]}"; do
    [[ $other =~ ^sm_([0-9]+)$ ]] || continue
    if ((BASH_REMATCH[1] / 10 == number / 10 && BASH_REMATCH[1] <= number)); then return 0; fi
  done
  return 1
}
has_kernels() {
  case " $only " in
    "  ") [[ $1 != sm_*a ]] || ! runs_by_another "$1" ;;
    *" $1 "*) true ;;
    *) [ "$1" = compute_80 ] ;;
  esac
}

: >"$work/resources"
compile_ptx 80 -MD -MF "$work/d"
images=() kept=yes listed=("$@")
# shellcheck disable=SC2086 # a list of words
for architecture in "$@" -- $only; do
  if [ "$architecture" = -- ]; then kept=no; continue; fi
  number=${architecture#*_}
  if ! has_kernels "$architecture" || [ -f "$work/$number.cubin" ]; then continue; fi
  [ -f "$work/$number.ptx" ] || compile_ptx "$number"
  case $architecture in
    sm_*)
      compile_machine_code "$number"
      [ $kept = no ] || images+=("--image3=kind=elf,sm=$number,file=$work/$number.cubin") ;;
    compute_*) images+=("--image3=kind=ptx,sm=$number,file=$work/$number.ptx") ;;
  esac
done
"$root/scripts/check-spills.sh" "$work/resources" "$source"

# Not compressed: the reference machine reads the PTX out of the container.
"$toolkit/bin/fatbinary" -64 --create="$work/fatbin" -compress=false "${images[@]}"
sed "1s|^[^:]*:|$stem.fatbin:|" "$work/d" >"$stem.d"
mv "$work/80.ptx" "$stem.ptx"
mv "$work/resources" "$stem.resources"
mv "$work/fatbin" "$stem.fatbin"
