#!/usr/bin/env bash
# Unpacks the package into an empty folder and uses it from / with an empty environment: package_test.sh ARCHIVE-FOLDER SOURCE
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=tests/support/check.sh
. "$here/../support/check.sh"
archives=("$1"/ridge-*-linux-*.tar.gz)
source_folder=$2

[ -f "${archives[0]}" ] || { echo "no package in $1: make package"; exit 1; }
check "there is one package" test "${#archives[@]}" -eq 1
mkdir "$scratch/un packed" && tar -xzf "${archives[0]}" -C "$scratch/un packed" || exit 1
top=("$scratch/un packed"/*)
check "the archive holds one folder, named like itself" test "${top[*]}" = "$scratch/un packed/$(basename "${archives[0]}" .tar.gz)"
home=${top[0]}
version=$(sed -n 's/^project(ridge VERSION \([0-9.]*\).*/\1/p' "$source_folder/CMakeLists.txt")

# Every file it was built from is out of reach: the working folder is /, and nothing is inherited.
bare() { (cd / && exec env -i "$@"); }
ridge() { bare "$home/bin/ridge" "$@"; }

for arguments in --version --help list info "run --suite quick --dry-run" "bandwidth --size 1MiB --dry-run"; do
  # shellcheck disable=SC2086  # the words are the arguments
  check_exit 0 "ridge $arguments" ridge $arguments
done
check_exit 0 "ridge --version" ridge --version
check_seen "the version is the project's" "$version"
check_exit 2 "an unknown option is a usage error here too" ridge --no-such-option

check_exit 5 "gpu-check.sh starts from the package, and says that there is no GPU" \
  bare PATH=/usr/bin:/bin CUDA_VISIBLE_DEVICES= "$home/share/ridge/gpu-check.sh" "$scratch/gpu results"
check_seen "with the reason" 'no GPU: '

check_exit 0 "the loader resolves everything" bare LD_TRACE_LOADED_OBJECTS=1 "$home/bin/ridge"
cp "$scratch/.seen" "$scratch/loaded"
# The system's own copy of a library is not used where the package carries one.
while IFS= read -r -d '' library; do
  name=$(basename "$library")
  ! grep -qF "$name => " "$scratch/loaded" || check "$name comes from the package" grep -qF "$name => $home/" "$scratch/loaded"
done < <(find "$home/lib" -name '*.so*' -print0)

for paper in LICENSE README.md THIRD-PARTY-NOTICES docs/decisions.md; do check "share/ridge/$paper" test -s "$home/share/ridge/$paper"; done
for name in benchmark hwloc highway fmtlib nlohmann-json3; do
  check "the notices cover $name" grep -qE "^==== $name " "$home/share/ridge/THIRD-PARTY-NOTICES"
done
check_exit 0 "no debug sections" readelf -SW "$home/bin/ridge"
check "it is stripped" sh -c '! grep -qE "\.(symtab|debug_info)" "$0"' "$scratch/.seen"

status=0
"$here/elf_check.sh" "$home" "$source_folder" >"$scratch/elf" || status=$?
cat "$scratch/elf"
if [ "$status" -ne 0 ]; then
  # Packages for other people's machines are made where the floor can be met; elsewhere only the version breaches are excused.
  libc=$(getconf GNU_LIBC_VERSION | cut -d' ' -f2)
  if [ "$failures" -eq 0 ] && [ "$(printf '%s\n2.36\n' "$libc" | sort -V | tail -n 1)" != 2.36 ] && ! grep '^breach' "$scratch/elf" | grep -qv 'newer than'; then
    skip "the floor (glibc 2.35, GCC 12) can be met on Debian 12 and Ubuntu 22.04, not with this system's glibc $libc"
  fi
  failures=$((failures + 1))
fi
finish
