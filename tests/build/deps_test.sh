#!/usr/bin/env bash
# scripts/deps.sh with a made-up dpkg-query, apt-get, sudo and id: what is missing is installed, and only that.
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=tests/support/check.sh
. "$here/../support/check.sh"

mkdir -p "$scratch/bin" "$scratch/list folder"
printf 'alpha\nbeta\ngamma\n' >"$scratch/list folder/packages.txt"
fake() { printf '#!/bin/bash\n%s\n' "$2" >"$scratch/bin/$1"; chmod +x "$scratch/bin/$1"; }
# dpkg-query as it is: a line for each package it knows, also for removed ones, and exit status 1 for an unknown name.
fake dpkg-query 'status=0; for name in "${@:4}"; do case " $INSTALLED " in *" $name "*) echo "installed $name";; *) status=1;; esac; done
[ -z "${REMOVED:-}" ] || echo "config-files $REMOVED"; exit $status'
fake apt-get 'echo "apt-get $*" >>"$LOG"; [ "$1" != update ] || exit "${UPDATE_STATUS:-0}"'
fake sudo 'echo "sudo $*" >>"$LOG"; exec "$@"'
fake id 'echo "${USER_ID:-0}"'

deps() { # deps VARIABLE=VALUE…: runs the script in that world and leaves what it called in the log
  : >"$scratch/log"
  env PATH="$scratch/bin:$PATH" LOG="$scratch/log" "$@" "$here/../../scripts/deps.sh" "$scratch/list folder/packages.txt"
}
logged() { grep -qE -- "$1" "$scratch/log"; }

check_exit 0 "all there: nothing to do" deps INSTALLED="alpha beta gamma"
check "all there: apt-get is not called" test ! -s "$scratch/log"

check_exit 0 "one missing: installed" deps INSTALLED="alpha gamma"
check "only the missing one is asked for" logged '^apt-get install .* beta$'
check "root needs no sudo" sh -c '! grep -q ^sudo "$0"' "$scratch/log"

check_exit 0 "removed but configured counts as missing" deps INSTALLED="alpha gamma" REMOVED=beta
check "it is asked for" logged '^apt-get install .* beta$'

check_exit 0 "not root: sudo" deps INSTALLED="alpha" USER_ID=1000
check "sudo installs both" logged '^sudo env .* apt-get install .* beta gamma$'

check_exit 0 "an index that cannot be renewed does not stop it" deps INSTALLED="alpha beta" UPDATE_STATUS=100
check "the install is tried all the same" logged '^apt-get install .* gamma$'

check_exit 1 "RIDGE_INSTALL=no fails when something is missing" deps INSTALLED="beta" RIDGE_INSTALL=no
check_seen "alpha is listed" '^  alpha$'
check_seen "gamma is listed" '^  gamma$'
check_seen "and the command is offered" 'sudo apt-get install alpha gamma$'
check "RIDGE_INSTALL=no calls nothing" test ! -s "$scratch/log"
check_exit 0 "RIDGE_INSTALL=no with all there" deps INSTALLED="alpha beta gamma" RIDGE_INSTALL=no

rm "$scratch/bin/sudo"
if ! command -v sudo >/dev/null; then
  check_exit 1 "neither root nor sudo is an error" deps INSTALLED="alpha" USER_ID=1000
  check_seen "it says what to ask for" 'apt-get install beta gamma$'
fi
finish
