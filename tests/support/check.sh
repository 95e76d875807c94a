# What the shell tests share: a scratch folder that goes away, and checks that say what they saw. Sourced, not run.
# shellcheck shell=bash
set -uo pipefail
scratch=$(mktemp -d)
trap 'rm -rf -- "$scratch"' EXIT
failures=0

check() { # check DESCRIPTION COMMAND…: the command must succeed
  local what=$1
  shift
  if "$@" >"$scratch/.seen" 2>&1; then echo "ok: $what"; else failures=$((failures + 1)); echo "NOT OK: $what"; sed 's/^/    /' "$scratch/.seen"; fi
}
check_exit() { # check_exit STATUS DESCRIPTION COMMAND…
  local wanted=$1 what=$2 status=0
  shift 2
  "$@" >"$scratch/.seen" 2>&1 || status=$?
  if [ "$status" -eq "$wanted" ]; then echo "ok: $what"; else failures=$((failures + 1)); echo "NOT OK: $what: exit $status, not $wanted"; sed 's/^/    /' "$scratch/.seen"; fi
}
check_seen() { # check_seen DESCRIPTION PATTERN: the last command checked by check or check_exit printed it
  if grep -qE -- "$2" "$scratch/.seen"; then echo "ok: $1"; else failures=$((failures + 1)); echo "NOT OK: $1: no \"$2\" in"; sed 's/^/    /' "$scratch/.seen"; fi
}
skip() { echo "skipped: $*"; exit 77; }
finish() { [ "$failures" -eq 0 ]; exit; }
