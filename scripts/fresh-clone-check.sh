#!/usr/bin/env bash
# For releases, by hand: clones a commit into an empty folder and runs the README's two commands there, then both once more.
#   fresh-clone-check.sh [COMMIT]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
commit=$(git rev-parse --verify "${1:-HEAD}^{commit}")
folder=$(mktemp -d)
trap 'rm -rf -- "$folder"' EXIT

# The space is on purpose: every path that is not quoted breaks here.
clone="$folder/ridge clone"
git clone --quiet --no-local . "$clone"
git -C "$clone" checkout --quiet --detach "$commit"
cd "$clone"

timed() { # timed COMMAND…
  local start=$SECONDS
  echo "== $*"
  "$@"
  echo "== $*: $((SECONDS - start)) s"
}
timed make run
RIDGE_INSTALL=no timed make run | tee "$folder/second"
grep -q 'ninja: no work to do' "$folder/second" || { echo "the second make run built something"; exit 1; }
timed make test
git status --porcelain | tee "$folder/left"
[ ! -s "$folder/left" ] || { echo "files were left in the checkout"; exit 1; }
echo "fresh clone of $commit: passed"
