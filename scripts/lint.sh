#!/usr/bin/env bash
# Format, test names and shell scripts: lint.sh. clang-tidy over the sources: lint.sh --tidy BUILD-FOLDER JOBS. To format in
# place: lint.sh --fix.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

folders=(bench cmd collectives kernels reports tests)
sources() { find "${folders[@]}" -type f \( -name '*.cpp' -o -name '*.hpp' -o -name '*.cu' -o -name '*.cuh' \) -print0; }
shell_scripts() { find .ci scripts tests -type f -print0 | xargs -0 grep -lZE '^#!(/usr/bin/env bash|/bin/bash|/bin/sh)'; }
units() { find "${folders[@]}" -type f -name '*.cpp' ! -name '*_test.cpp' -print0; }

case ${1-} in
  --fix) sources | xargs -0 -r clang-format -i; exit ;;
  --tidy) units | xargs -0 -r -n 1 -P "$3" clang-tidy -p "$2" --quiet --extra-arg=-Wno-unknown-warning-option 2>/dev/null; exit ;;
esac
status=0

echo "lint: clang-format"
sources | xargs -0 -r clang-format --dry-run -Werror || status=1
# ctest splits a name at a semicolon and takes a test that prints "skipped: " for skipped, its name included; the test program takes a
# leading dash for an option.
echo "lint: test names"
if grep -rnE 'TEST_CASE\("(-|[^"]*(;|skipped: ))' --include='*_test.cpp' "${folders[@]}"; then status=1; fi
# A part that an operator or a member function hands out of a temporary outlives it: the loop reads freed memory.
echo "lint: loops over a part of a temporary"
if grep -rnE 'for \([^;]*[^:]: [^;]*\)(\[|\.(at|front|back|value|items|get)\()[^;]*\) *(\{|$)' --include='*.[ch]pp' "${folders[@]}"; then status=1; fi
echo "lint: shellcheck"
shell_scripts | xargs -0 -r shellcheck || status=1
[ "$status" -eq 0 ] && echo "lint: clean"
exit "$status"
