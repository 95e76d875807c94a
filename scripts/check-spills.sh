#!/usr/bin/env bash
# Fails, naming each, when kernels spill registers to memory although their source does not declare it:
#   check-spills.sh RESOURCES SOURCE
# A kernel is declared by a line `// spills: NAME reason` in SOURCE; the reason is required.
set -euo pipefail
resources=$1 source=$2

declared=$(sed -n 's|^// spills: \([A-Za-z0-9_]\{1,\}\) ..*|\1|p' "$source")
awk -v declared="$declared" -v source="$source" '
  BEGIN { split(declared, names, "\n"); for (i in names) allowed[names[i]] = 1 }
  ($5 > 0 || $6 > 0) && !($2 in allowed) {
    printf "%s: kernel %s spills for %s: %d bytes stored, %d bytes loaded; make it smaller, or declare it: // spills: %s REASON\n",
      source, $2, $1, $5, $6, $2 > "/dev/stderr"
    bad = 1
  }
  END { exit bad }' "$resources"
