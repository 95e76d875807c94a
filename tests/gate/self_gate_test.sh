#!/usr/bin/env bash
# Ridge's own host code is gated by scripts/gate-self.sh. Here a stand-in for the program hands out reports that the real one wrote, in
# turn, so that the verdicts are the same on every machine: self_gate_test.sh RIDGE SOURCES
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=tests/support/check.sh
. "$here/../support/check.sh"
ridge=$1 sources=$2
gate=$sources/scripts/gate-self.sh

# build_of NAME FACTOR [BUILD_TYPE]: a build folder whose self_host takes FACTOR times as long as it was recorded to
build_of() {
  mkdir -p "$scratch/$1/bench/self"
  ln -s "$ridge" "$scratch/$1/ridge"
  echo "$2" > "$scratch/$1/factor"
  echo "CMAKE_BUILD_TYPE:STRING=${3:-Release}" > "$scratch/$1/CMakeCache.txt"
  cat > "$scratch/$1/bench/self/self_host" <<'PROGRAM'
#!/usr/bin/env bash
# Prints the recorded report whose turn it is, slowed by the folder's factor.
out='' build_type='' here=$(dirname "${BASH_SOURCE[0]}")/../..
for argument; do case $argument in
  --help) echo 'benchmark [--benchmark_out=<filename>]'; exit ;;
  --version) echo 'unrecognized command-line flag: --version' >&2; exit 1 ;;
  --benchmark_out=*) out=${argument#*=} ;;
  --benchmark_context=build_type=*) build_type=${argument##*=} ;;
esac; done
turn=$(cat "$RECORDED_TURN" 2>/dev/null || echo 0)
files=("$RECORDED"/*.json)
echo $((turn + 1)) > "$RECORDED_TURN"
awk -v factor="$(cat "$here/factor")" -v build_type="$build_type" '
  /"build_type":/ { sub(/: "[A-Za-z]*"/, ": \"" build_type "\"") }
  /"name":/ { slowed = /plan_node_suite/ }
  slowed && /"(real|cpu)_time":/ { match($0, /: .*,/); value = substr($0, RSTART + 2, RLENGTH - 3); sub(/: .*,/, ": " sprintf("%.17g", value * factor) ",") }
  { print }' "${files[turn % ${#files[@]}]}" > "$out"
PROGRAM
  chmod +x "$scratch/$1/bench/self/self_host"
}
export RECORDED=$sources/tests/gate/recorded/self_host RECORDED_TURN=$scratch/turn SELF_STORE=$scratch/store
build_of now 1
build_of slow 4
build_of debug 1 Debug

check_exit 3 "a debug build is no baseline" "$gate" "$scratch/debug" save
check_seen "and the reason is told" "a Debug build was measured"
rm -f "$RECORDED_TURN"
check "ten runs are kept" "$gate" "$scratch/now" save
check_seen "under the program's name" "self-host/.*json$"
check_exit 0 "three more runs of the same pass" "$gate" "$scratch/now" check
check_seen "with every benchmark judged once" "passed: "
check_exit 1 "a slowdown of one benchmark beyond twice its tolerance fails" "$gate" "$scratch/slow" check
check_seen "and is named" "plan_node_suite"
check_seen "alone" "FAILED: 2 regressed"
rm -f "$RECORDED_TURN"
check_exit 0 "a build against itself passes" "$gate" "$scratch/now" ab "$scratch/now"
cp "$scratch/.seen" "$scratch/said"
check "and is asked nothing that it does not know" sh -c '! grep unrecognized "$1"' - "$scratch/said"
check_exit 1 "a slower build fails against the one before" "$gate" "$scratch/slow" ab "$scratch/now"
check_seen "by the slow benchmark" "plan_node_suite"
check_exit 3 "a build that is four times as fast is not believed" "$gate" "$scratch/now" ab "$scratch/slow"
check_seen "and the reason is told" "beyond the plausible"
SELF_STORE=$scratch/none check_exit 2 "no baseline is no pass" "$gate" "$scratch/now" check
check_exit 2 "what is not known is refused" "$gate" "$scratch/now" guess
finish
