#!/usr/bin/env bash
# Packs a Release build into build/ridge-<version>-linux-<arch>.tar.gz and prints where it is: package.sh BUILD-FOLDER
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
build=$1

log=$build/package.log
if ! cpack --config "$build/CPackConfig.cmake" -B "$build/package" >"$log" 2>&1; then
  cat "$log" >&2
  exit 1
fi
archive=$(find "$build/package" -maxdepth 1 -name 'ridge-*.tar.gz' -printf '%T@ %p\n' | sort -n | tail -n 1 | cut -d' ' -f2-)
mv -f "$archive" build/
echo "package: build/$(basename "$archive")"
