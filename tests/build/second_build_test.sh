#!/usr/bin/env bash
# A second make installs and builds nothing: second_build_test.sh SOURCE, after build/release was built.
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=tests/support/check.sh
. "$here/../support/check.sh"
cd "$1" || exit 1

built() { find build/release -path build/release/package -prune -o -type f \( -name '*.o' -o -name '*.a' -o -name ridge -o -name '*.fatbin' -o -name '*.ptx' \) -printf '%p %T@\n' | sort; }
built >"$scratch/before"
check "there is something built" grep -q '^build/release/ridge ' "$scratch/before"
check_exit 0 "make build again" env RIDGE_INSTALL=no make build
check_seen "ninja has no work" 'ninja: no work to do'
check_exit 0 "nothing was written" diff "$scratch/before" <(built)
finish
