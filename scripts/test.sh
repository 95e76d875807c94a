#!/usr/bin/env bash
# Runs the tests of a ctest preset and says why each skipped one was skipped: test.sh PRESET JOBS [ctest options…]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
preset=$1 jobs=$2
shift 2

status=0
ctest --preset "$preset" --parallel "$jobs" --output-junit junit.xml "$@" || status=$?

# The tests print "skipped: REASON"; ctest keeps their output in the JUnit file, one <testcase> after another.
junit="build/$preset/junit.xml"
if [ -f "$junit" ]; then
  awk '
    /<testcase / { name = $0; sub(/.*<testcase name="/, "", name); sub(/".*/, "", name); skipped = /status="notrun"/ }
    skipped && match($0, /skipped: .*/) {
      reason = substr($0, RSTART + 9); sub(/<.*/, "", reason); print "skipped: " name ": " reason; skipped = 0
    }' "$junit" | sed 's/&lt;/</g; s/&gt;/>/g; s/&quot;/"/g; s/&apos;/'\''/g; s/&amp;/\&/g'
fi
exit "$status"
