#!/usr/bin/env bash
# Plants each fault that elf_check.sh exists for into a small package and sees it found; the clean twin must pass.
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=tests/support/check.sh
. "$here/../support/check.sh"

mkdir -p "$scratch/stub" "$scratch/src"
echo 'int planted(void) { return 0; }' >"$scratch/src/library.c"
echo 'extern int planted(void); int main(void) { return planted(); }' >"$scratch/src/program.c"

# package NAME VERSION-OF-SYMBOL SONAME [LINK-OPTION…]: bin/program, which needs planted@VERSION from lib/SONAME
package() {
  local folder="$scratch/$1" version=$2 soname=$3
  shift 3
  mkdir -p "$folder/bin" "$folder/lib"
  printf '%s { global: planted; };\n' "$version" >"$scratch/src/map"
  cc -shared -fPIC "-Wl,-soname,$soname" "-Wl,--version-script=$scratch/src/map" -o "$folder/lib/$soname" "$scratch/src/library.c" || exit 1
  cc -o "$folder/bin/program" "$scratch/src/program.c" "$folder/lib/$soname" "$@" || exit 1
}
found() { # found NAME PATTERN: a breach that matches PATTERN, and exit status 1
  check_exit 1 "$1 is a breach" "$here/elf_check.sh" "$scratch/$1" "$scratch/stub"
  check_seen "$1: the breach is named" "^breach: .*$2"
}

package clean GLIBC_2.35 libplanted.so.1 '-Wl,-rpath,$ORIGIN/../lib'
check_exit 0 "a package at the floor passes" "$here/elf_check.sh" "$scratch/clean" "$scratch/stub"
check_seen "the versions found are printed" '^GLIBC 2\.35 '
check_seen "both files were read" '^2 ELF files, 0 breaches$'

package new-glibc GLIBC_2.36 libplanted.so.1
found new-glibc 'GLIBC_2.36, newer than 2.35: planted@GLIBC_2.36'
package new-glibcxx GLIBCXX_3.4.31 libplanted.so.1
found new-glibcxx 'GLIBCXX_3.4.31'
package new-cxxabi CXXABI_1.3.14 libplanted.so.1
found new-cxxabi 'CXXABI_1.3.14'
package tens GLIBC_2.100 libplanted.so.1
found tens 'GLIBC_2.100'
package relr GLIBC_ABI_DT_RELR libplanted.so.1
found relr 'GLIBC_ABI_DT_RELR'

package missing OWN_1 libplanted.so.1
rm "$scratch/missing/lib/libplanted.so.1"
found missing 'libplanted.so.1: neither in lib/'
for vendor in libcublasLt.so.13 libcuda.so.1 libmpi.so.40 libopenblas.so.0; do
  package "$vendor" OWN_1 "$vendor"
  found "$vendor" "$vendor, which must be opened at run time"
done
package runpath OWN_1 libplanted.so.1 "-Wl,-rpath,$scratch/elsewhere"
found runpath 'searches .*/elsewhere'
package mention OWN_1 libplanted.so.1
printf '%s' "$scratch/stub" >>"$scratch/mention/bin/program"
found mention 'mentions '
mkdir "$scratch/empty"
found empty 'no ELF file'
finish
