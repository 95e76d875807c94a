#!/usr/bin/env bash
# All-reduce beside Open MPI and MPICH on this machine, two ranks, f32: compare-mpi.sh
# In alternating rounds it starts, for each MPI that is here, a plain loop around MPI_Allreduce (bench/self/mpi_loop.c) and
# `ridge allreduce --engine mpi --algorithm library`, which do the same with the same arrays, and then Ridge between two threads with the
# bandwidth of memory beside it. Starts of one program differ by more than measuring may cost, so that is looked at as well: both programs
# run with a library between them and MPI (bench/self/mpi_gap.c), which sees how long a program takes from one operation to the next.
# Prints medians over the rounds, ratios for each size, and what they say of the project's targets.
#   RIDGE=path of the binary    ROUNDS=5    SIZES="8 4096 …" (bytes)    MPIS="openmpi mpich"
# MPI's temporaries are kept from being page-faulted each time (malloc's thresholds), for both alike. Needs mpicc and mpirun of each MPI, a core
# for each rank, and nothing else that runs: what else does is in the figures. Exit status 0: it measured; 2: it could not.
set -euo pipefail
export LC_ALL=C OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export MALLOC_MMAP_THRESHOLD_=4294967296 MALLOC_TRIM_THRESHOLD_=4294967296
cd "$(dirname "${BASH_SOURCE[0]}")/.."
ridge=${RIDGE:-build/release/ridge}
rounds=${ROUNDS:-5}
sizes=${SIZES:-8 4096 65536 262144 1048576 16777216 67108864}
mpis=${MPIS:-openmpi mpich}
samples=7
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

note() { printf '%s\n' "$*" >&2; }
[ -x "$ridge" ] || { note "compare-mpi: no $ridge: build it, or set RIDGE"; exit 2; }
[ "$(nproc)" -ge 2 ] || note "compare-mpi: one core for two ranks: nothing here is comparable"

built=()
for mpi in $mpis; do
  if command -v "mpicc.$mpi" >/dev/null && command -v "mpirun.$mpi" >/dev/null; then
    "mpicc.$mpi" -O2 -o "$work/loop.$mpi" bench/self/mpi_loop.c
    "mpicc.$mpi" -O2 -fPIC -shared -o "$work/gap.$mpi.so" bench/self/mpi_gap.c
    built+=("$mpi")
  else
    note "left out, not found: mpicc.$mpi or mpirun.$mpi"
  fi
done

launch() { # launch MPI COMMAND…: two ranks, a core each
  local mpi=$1 bind=--bind-to
  shift
  [ "$mpi" != mpich ] || bind=-bind-to
  "mpirun.$mpi" -n 2 "$bind" core "$@"
}

# CSV to "benchmark size algorithm metric value"; what stands in quotes may have commas, and is not needed.
rows='{ gsub(/"[^"]*"/, "") } NR == 1 { for (i = 1; i <= NF; ++i) at[$i] = i; next }
      $at["value"] != "" { print $at["benchmark"], $at["point.size"], $at["point.algorithm"] != "" ? $at["point.algorithm"] : "-", $at["metric"], $at["value"] }'
list=${sizes// /,}

measure_loop() { # MPI
  # shellcheck disable=SC2086  # one argument for each size
  launch "$1" "$work/loop.$1" "$samples" $sizes | awk -v who="loop.$1" '{ print who, $1, "time", $2 }' >>"$work/all"
}
measure_ridge() { # MPI
  launch "$1" "$ridge" allreduce --engine mpi --algorithm library --size "$list" --rounds "$samples" --min-time 20ms --format csv --quiet |
    awk -F, "$rows" | awk -v who="ridge.$1" '$4 == "time" { print who, $2, "time", $5 }' >>"$work/all"
}
measure_gaps() { # MPI: "bytes calls gap most inside", in ns, of both programs
  local who
  local between=(env "LD_PRELOAD=$work/gap.$1.so")
  # shellcheck disable=SC2086  # one argument for each size
  launch "$1" "${between[@]}" "MPI_GAP=$work/gaps.loop.$1" "$work/loop.$1" 3 $sizes >"$work/out"
  launch "$1" "${between[@]}" "MPI_GAP=$work/gaps.ridge.$1" "$ridge" allreduce --engine mpi --algorithm library --size "$list" --rounds 3 \
    --min-time 20ms --quiet >"$work/out"
  for who in loop ridge; do
    awk -v who="$who.$1" '{ print who, $1, "gap", $3; print who, $1, "gap99", $4; print who, $1, "inside", $5 }' "$work/gaps.$who.$1" >>"$work/all"
    rm "$work/gaps.$who.$1"
  done
}
cat >"$work/threads.toml" <<EOF
rounds = $samples
min_time = "20ms"
[[request]]
benchmarks = ["bandwidth.copy", "bandwidth.triad", "bandwidth.read"]
size = "memory"
[[request]]
benchmarks = ["allreduce"]
size = "$list,2097152,33554432"
algorithm = "direct,ring,recursive_doubling"
ranks = 2
EOF
measure_threads() {
  "$ridge" run --suite "$work/threads.toml" --device cpu --format csv --quiet --json "$work/threads.json" | awk -F, "$rows" >"$work/threads.csv"
  awk '$1 == "allreduce" && ($4 == "time" || $4 == "bandwidth") { print "threads." $3, $2, $4, $5 }
       $1 ~ /^bandwidth/ && $4 == "bandwidth" { print $1, 0, $4, $5 }' "$work/threads.csv" >>"$work/all"
  # "allreduce ring (…): in caches …, off by 7 %; beyond …, off by 6 %"
  { grep -oE 'allreduce (ring|recursive_doubling) \([^"]*off by [0-9]+ %' "$work/threads.json" || true; } |
    awk '{ name = $2; text = $0
           while (match(text, /off by [0-9]+ %/)) { print "model." name, ++n[name], "residual", substr(text, RSTART + 7, RLENGTH - 9); text = substr(text, RSTART + RLENGTH) } }' >>"$work/all"
}

for ((round = 1; round <= rounds; ++round)); do
  note "round $round of $rounds"
  for mpi in "${built[@]}"; do # by turns who is first
    if ((round % 2)); then measure_loop "$mpi"; measure_ridge "$mpi"; else measure_ridge "$mpi"; measure_loop "$mpi"; fi
    measure_gaps "$mpi"
  done
  measure_threads
done

# who size metric value → who size metric median least most
sort -k1,1 -k2,2n -k3,3 -k4,4g "$work/all" | awk '
  { key = $1 " " $2 " " $3 }
  key != last { if (n) put(); n = 0; last = key }
  { v[++n] = $4 }
  function put() { print last, (n % 2 ? v[(n + 1) / 2] : (v[n / 2] + v[n / 2 + 1]) / 2), v[1], v[n] }
  END { if (n) put() }' >"$work/medians"

awk -v sizes="$sizes" -v mpis="${built[*]}" -v rounds="$rounds" '
  function us(seconds) { return sprintf("%.3f", seconds * 1e6) }
  function verdict(met) { return met ? "met" : "not met" }
  { median[$1, $2, $3] = $4; least[$1, $2, $3] = $5; most[$1, $2, $3] = $6 }
  END {
    n = split(sizes, size, " ")
    m = split(mpis, mpi, " ")
    printf "MPI_Allreduce, two processes, us: medians of %d starts (the least and the most of them), a plain loop and Ridge by turns\n", rounds
    for (i = 1; i <= m; ++i) {
      printf "%-10s %10s %34s %34s %8s %8s\n", mpi[i], "bytes", "plain loop", "ridge --algorithm library", "medians", "bests"
      for (k = 1; k <= n; ++k) {
        a = "loop." mpi[i] SUBSEP size[k] SUBSEP "time"; b = "ridge." mpi[i] SUBSEP size[k] SUBSEP "time"
        if (!(a in median) || !(b in median)) { printf "%-10s %10d %34s\n", "", size[k], "not measured"; continue }
        ratio = median[b] / median[a]
        printf "%-10s %10d %34s %34s %8.3f %8.3f\n", "", size[k], sprintf("%s (%s-%s)", us(median[a]), us(least[a]), us(most[a])),
               sprintf("%s (%s-%s)", us(median[b]), us(least[b]), us(most[b])), ratio, least[b] / least[a]
        if (size[k] >= 4096) { compared = 1; if (ratio > worst) worst = ratio; if (least[b] / least[a] > worst_best) worst_best = least[b] / least[a] }
      }
    }
    printf "\nFrom one operation to the next, ns (the 99th percentile), and the operation itself; Ridge adds the difference\n"
    for (i = 1; i <= m; ++i) {
      printf "%-10s %10s %20s %20s %14s %10s\n", mpi[i], "bytes", "plain loop", "ridge", "operation", "adds"
      for (k = 1; k <= n; ++k) {
        a = "loop." mpi[i] SUBSEP size[k] SUBSEP; b = "ridge." mpi[i] SUBSEP size[k] SUBSEP
        if (!((a "gap") in median) || !((b "gap") in median)) { printf "%-10s %10d %20s\n", "", size[k], "not seen"; continue }
        adds = (median[b "gap"] - median[a "gap"]) / median[b "inside"]
        printf "%-10s %10d %20s %20s %14d %9.3f%%\n", "", size[k], sprintf("%d (%d)", median[a "gap"], median[a "gap99"]),
               sprintf("%d (%d)", median[b "gap"], median[b "gap99"]), median[b "inside"], 100 * adds
        if (size[k] >= 4096) { looked = 1; if (adds > most_added) most_added = adds }
      }
    }
    printf "\nBetween two threads, us\n%21s %12s %12s %20s %14s\n", "bytes", "direct", "ring", "recursive_doubling", "direct, GB/s"
    memory = median["bandwidth.copy", 0, "bandwidth"]
    split("bandwidth.copy bandwidth.triad bandwidth.read", kernels, " ")
    for (k = 1; k <= 3; ++k) if (median[kernels[k], 0, "bandwidth"] > memory) memory = median[kernels[k], 0, "bandwidth"]
    n = split(sizes " 2097152 33554432", size, " ")
    share = 9
    for (k = 1; k <= n; ++k) {
      if (!(("threads.direct", size[k], "time") in median)) continue
      moved = median["threads.direct", size[k], "bandwidth"]
      printf "%21d %12s %12s %20s %14.2f\n", size[k], us(median["threads.direct", size[k], "time"]), us(median["threads.ring", size[k], "time"]),
             us(median["threads.recursive_doubling", size[k], "time"]), moved / 1e9
      if (size[k] >= 1048576 && memory > 0 && moved / memory < share) { share = moved / memory; narrow = size[k] }
    }
    printf "\nTargets\n"
    if (looked) printf "  mpi engine, at most 1 %% added to a plain loop from 4 KiB on: %.3f %% at most between operations: %s\n", 100 * most_added, verdict(most_added <= 0.01)
    if (compared) printf "    (starts of both beside each other, noise included: %.1f %% at worst by medians, %.1f %% by the best start of each)\n",
                         100 * (worst - 1), 100 * (worst_best - 1)
    large = 16777216
    for (i = 1; i <= m; ++i) {
      t = median["loop." mpi[i], large, "time"]
      if (t > 0 && (fastest == 0 || t < fastest)) { fastest = t; who = mpi[i] }
    }
    d = median["threads.direct", large, "time"]; r = median["threads.ring", large, "time"]
    if (fastest > 0 && d > 0) printf "  busbw at 16 MiB, at least 4 x the better MPI (%s, %.2f GB/s): direct %.2f x, ring %.2f x (one address space against two): %s\n",
                                     who, large / fastest / 1e9, fastest / d, fastest / r, verdict(fastest / d >= 4)
    s = median["threads.direct", 8, "time"]
    if (s > 0) printf "  8 bytes within 0.5 us: %s us (%s-%s): %s\n", us(s), us(least["threads.direct", 8, "time"]), us(most["threads.direct", 8, "time"]), verdict(s <= 0.5e-6)
    if (share < 9) printf "  0.8 x of what memory allows (%.2f GB/s) from 1 MiB on: %.2f x at %d bytes: %s\n", memory / 1e9, share, narrow, verdict(share >= 0.8)
    for (a = 1; a <= 2; ++a) {
      name = a == 1 ? "ring" : "recursive_doubling"
      worst_fit = -1
      for (k = 1; k <= 2 * rounds; ++k) if (("model." name, k, "residual") in median) { x = median["model." name, k, "residual"]; if (x > worst_fit) worst_fit = x }
      if (worst_fit >= 0) printf "  model of %s off by at most 15 %%: %d %% in caches or beyond, whichever is more: %s\n", name, worst_fit, verdict(worst_fit <= 15)
    }
  }' "$work/medians"
