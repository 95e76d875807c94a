#!/usr/bin/env bash
# Format, shell scripts and clang-tidy over the sources: lint.sh BUILD-FOLDER JOBS, or lint.sh --fix to format in place.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

folders=(bench cmd collectives kernels reports tests)
sources() { find "${folders[@]}" -type f \( -name '*.cpp' -o -name '*.hpp' -o -name '*.cu' -o -name '*.cuh' \) -print0; }
shell_scripts() { find .ci scripts tests -type f -print0 | xargs -0 grep -lZE '^#!(/usr/bin/env bash|/bin/bash|/bin/sh)'; }
units() { find "${folders[@]}" -type f -name '*.cpp' ! -name '*_test.cpp' -print0; }

if [ "$1" = --fix ]; then
  sources | xargs -0 -r clang-format -i
  exit
fi
build=$1 jobs=$2 status=0

echo "lint: clang-format"
sources | xargs -0 -r clang-format --dry-run -Werror || status=1
echo "lint: test names" # ctest splits a name at a semicolon, and the test program takes a leading dash for an option
if grep -rnE 'TEST_CASE\("(-|[^"]*;)' --include='*_test.cpp' "${folders[@]}"; then status=1; fi
echo "lint: shellcheck"
shell_scripts | xargs -0 -r shellcheck || status=1
echo "lint: clang-tidy ($jobs at a time)"
units | xargs -0 -r -n 1 -P "$jobs" clang-tidy -p "$build" --quiet --extra-arg=-Wno-unknown-warning-option 2>/dev/null || status=1
[ "$status" -eq 0 ] && echo "lint: clean"
exit "$status"
