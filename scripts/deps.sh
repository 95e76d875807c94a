#!/usr/bin/env bash
# Installs those packages of the given lists (default: packages.txt) that this Debian or Ubuntu machine lacks, and only those.
# RIDGE_INSTALL=no forbids installing: then the missing ones are listed and the exit status is 1.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
[ $# -gt 0 ] || set -- packages.txt

if ! command -v dpkg-query >/dev/null; then
  echo "deps: no dpkg here, so nothing was checked; Ridge needs what Debian calls: $(sort -u -- "$@" | paste -sd' ')" >&2
  exit 0
fi

# dpkg-query exits 1 when it knows nothing about one of the names: that is an answer here, not an error.
installed() { dpkg-query -W -f '${db:Status-Status} ${Package}\n' "$@" 2>/dev/null | sed -n 's/^installed //p' | sort -u || true; }

mapfile -t wanted < <(grep -hEv '^[[:space:]]*(#|$)' -- "$@" | sort -u)
mapfile -t missing < <(comm -23 <(printf '%s\n' "${wanted[@]}") <(installed "${wanted[@]}"))
[ ${#missing[@]} -gt 0 ] || exit 0

if [ "${RIDGE_INSTALL:-yes}" = no ]; then
  {
    echo "deps: missing, and RIDGE_INSTALL=no forbids installing:"
    printf '  %s\n' "${missing[@]}"
    echo "install with: sudo apt-get install ${missing[*]}"
  } >&2
  exit 1
fi

as_root=()
if [ "$(id -u)" -ne 0 ]; then
  if ! command -v sudo >/dev/null; then
    echo "deps: neither root nor sudo; ask for: apt-get install ${missing[*]}" >&2
    exit 1
  fi
  as_root=(sudo)
fi
echo "deps: installing ${missing[*]}" >&2
# A stale or partly unreachable index is no reason to stop: apt-get install says what it cannot find.
"${as_root[@]}" apt-get update -qq || echo "deps: apt-get update failed; trying with the index that is here" >&2
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}"
