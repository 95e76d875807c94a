#!/usr/bin/env bash
# Ridge beside BabelStream, STREAM, likwid-bench and mixbench-cpu on this machine: alternating, all threads, 512 MiB arrays of f64,
# STREAM's counting rule everywhere; and peaks of f64 and f32. Prints the median over rounds of each tool's own best rate, and
# Ridge's ratio to the best peer. ONLY=peaks or ONLY=bandwidth does a half. Builds nothing: the peers are what the variables below
# name; those that are not there are left out and said.
set -euo pipefail
export LC_ALL=C OMP_PROC_BIND=close OMP_PLACES=cores
ridge=${RIDGE:-build/release/ridge}
babelstream=${BABELSTREAM:-babelstream} # BabelStream's OpenMP program
stream=${STREAM:-stream}                # STREAM, built with STREAM_ARRAY_SIZE=67108864; several, separated by spaces, are taken
likwid=${LIKWID_BENCH:-likwid-bench}
mixbench=${MIXBENCH:-mixbench-cpu}
rounds=${ROUNDS:-5}
only=${ONLY:-bandwidth peaks}
threads=$(nproc)
elements=67108864
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

note() { printf '%s\n' "$*" >&2; }
keep() { # keep KERNEL TOOL  <  a rate in MB/s, of a peak in MFLOP/s: one more sample
  local rate
  rate=$(cat)
  [ -n "$rate" ] || return 0
  printf '%s\n' "$rate" >>"$work/$1.$2"
  note "  $1 $2 $rate"
}
have() { command -v "$1" >/dev/null || { note "left out, not found: $1"; return 1; }; }

# The instruction set likwid's kernels are named by: the widest that this processor has.
wide=sse
grep -qw avx /proc/cpuinfo && wide=avx
grep -qw avx512f /proc/cpuinfo && wide=avx512

measure_ridge() { # the best of its rounds, as the peers report theirs
  "$ridge" bandwidth copy triad read --device cpu --size 512MiB --dtype f64 --threads "$threads" --stores nontemporal \
    --rounds 8 --min-time 1ms --format csv --quiet |
    awk -F, 'NR == 1 { for (i = 1; i <= NF; ++i) at[$i] = i; next }
             $at["metric"] == "bandwidth" { print $at["benchmark"], ($at["bytes_read"] + $at["bytes_written"]) / $at["best_s"] / 1e6 }' |
    while read -r name rate; do echo "$rate" | keep "${name#bandwidth.}" ridge; done
}

measure_babelstream() {
  local out
  out=$("$babelstream" -s "$elements" -n 8)
  awk '$1 == "Copy" { print $2 }' <<<"$out" | keep copy babelstream
  awk '$1 == "Triad" { print $2 }' <<<"$out" | keep triad babelstream
}

measure_stream() { # the program, and the name it is listed under
  local out
  out=$("$1")
  awk '$1 == "Copy:" { print $2 }' <<<"$out" | keep copy "$2"
  awk '$1 == "Triad:" { print $2 }' <<<"$out" | keep triad "$2"
}

measure_likwid() { # kernel, likwid's test, its total size (all arrays together)
  "$likwid" -t "$2" -w "N:$3:$threads" -i 4 2>/dev/null | awk '/^MByte\/s:/ { print $2 }' | keep "$1" "likwid:$2"
}

measure_mixbench() { # the first row: no operations, memory only; the rest of its long sweep is not waited for
  { stdbuf -oL "$mixbench" 2>/dev/null || true; } | sed -un '/^ *0,/ { p; q }' | awk -F, '{ print $NF * 1000 }' | keep read mixbench
}

# The arithmetic, on what stays in the first-level cache: 16 KiB a thread for likwid, as Ridge has.
measure_peaks() {
  local name rate kernel=$wide
  [ "$wide" = sse ] || ! grep -qw fma /proc/cpuinfo || kernel=${wide}_fma
  "$ridge" roofline peak --device cpu --dtype f64,f32 --threads "$threads" --rounds 8 --format csv --quiet |
    awk -F, 'NR == 1 { for (i = 1; i <= NF; ++i) at[$i] = i; next }
             $at["metric"] == "flops" { print $at["point.dtype"], $at["operations"] / $at["best_s"] / 1e6 }' |
    while read -r name rate; do echo "$rate" | keep "peak-$name" ridge; done
  if have "$likwid"; then
    for name in "f64 peakflops_$kernel" "f32 peakflops_sp_$kernel"; do
      "$likwid" -t "${name#* }" -w "N:$((16 * threads))kB:$threads" 2>/dev/null | awk '/^MFlops\/s:/ { print $2 }' |
        keep "peak-${name%% *}" "likwid:${name#* }"
    done
  fi
  ! have "$mixbench" || { "$mixbench" 2>/dev/null || true; } | awk -F, -v single="$work/single" -v double="$work/double" '
    $1 ~ /^ *[0-9]+ *$/ { if ($4 > s) s = $4; if ($8 > d) d = $8 } END { if (s > 0) { print s * 1000 >single; print d * 1000 >double } }'
  [ ! -s "$work/single" ] || { keep peak-f32 mixbench <"$work/single"; keep peak-f64 mixbench <"$work/double"; rm "$work/single" "$work/double"; }
}

median() { sort -g "$1" | awk '{ v[NR] = $1 } END { print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'; }

for ((round = 1; round <= rounds; ++round)); do
  note "round $round of $rounds"
  case $only in *peaks*) measure_peaks ;; esac
  case $only in *bandwidth*) ;; *) continue ;; esac
  measure_ridge
  ! have "$babelstream" || measure_babelstream
  number=0
  for program in $stream; do
    number=$((number + 1))
    ! have "$program" || measure_stream "$program" "stream$number"
  done
  if have "$likwid"; then
    fused=stream_mem_${wide}
    [ "$wide" != avx ] || ! grep -qw fma /proc/cpuinfo || fused=stream_mem_avx_fma
    measure_likwid triad "$fused" 1536MB
    measure_likwid copy "copy_mem_$wide" 1GB
    measure_likwid read "load_$wide" 512MB
  fi
  ! have "$mixbench" || measure_mixbench
done

for kernel in copy triad read peak-f64 peak-f32; do
  [ -s "$work/$kernel.ridge" ] || continue
  unit=GB/s
  case $kernel in peak-*) unit=GFLOP/s ;; esac
  own=$(median "$work/$kernel.ridge")
  best=0
  for file in "$work/$kernel".*; do
    tool=${file##*/"$kernel".}
    rate=$(median "$file")
    printf '%-8s %-28s %9.2f %s\n' "$kernel" "$tool" "$(awk -v r="$rate" 'BEGIN { print r / 1000 }')" "$unit"
    [ "$tool" = ridge ] || best=$(awk -v a="$best" -v b="$rate" 'BEGIN { print (b > a) ? b : a }')
  done
  awk -v k="$kernel" -v o="$own" -v b="$best" 'BEGIN { if (b > 0) printf "%-8s ridge / best peer: %.3f\n\n", k, o / b }'
done
