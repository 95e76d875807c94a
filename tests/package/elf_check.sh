#!/usr/bin/env bash
# Holds every ELF file of a folder to the package's promises; prints each breach and exits 1 if there is one.
#   elf_check.sh FOLDER [FORBIDDEN-PATH]
# Promises: symbol versions at most those of the floor below; NEEDED closed within the folder and the system list; no search
# path but $ORIGIN/../lib; no library of a vendor or an engine that is opened at run time; no trace of FORBIDDEN-PATH.
set -euo pipefail
folder=$1 forbidden=${2:-}

# glibc 2.35 is Ubuntu 22.04's; the other two are what GCC 12's libstdc++ and libgcc offer.
declare -A floor=([GLIBC]=2.35 [GLIBCXX]=3.4.30 [CXXABI]=1.3.13 [GCC]=12.0.0)
system='^(libc|libm|libdl|librt|libpthread|libstdc\+\+|libgcc_s|ld-linux-x86-64|ld-linux-aarch64)\.so\.[0-9]+$'
opened_at_run_time='^lib(cuda|cudart|cublas|cublasLt|cupti|nccl|nvidia-ml|mpi|mpich|openblas|blas|cblas|lapack|dnnl|mkl)[^a-z]'

breaches=0
breach() { echo "breach: $*"; breaches=$((breaches + 1)); }
newer() { [ "$1" != "$2" ] && [ "$(printf '%s\n%s\n' "$1" "$2" | sort -V | tail -n 1)" = "$1" ]; }
is_elf() { [ "$(head -c 4 -- "$1" | od -An -c | tr -d ' ')" = '177ELF' ]; }

check_versions() { # file: the versions its "version needs" section asks of other libraries
  local file=$1 name version symbols
  while IFS=_ read -r name version; do
    case $name in GLIBC | GLIBCXX | CXXABI | GCC) ;; *) continue ;; esac
    # A marker without a number, which only the loader of glibc 2.36 and later knows.
    if [ "$name" = GLIBC ] && [ "${version#ABI}" != "$version" ]; then breach "$file needs GLIBC_$version"; continue; fi
    [[ $version =~ ^[0-9.]+$ ]] || continue
    newest[$name]=$(printf '%s\n%s\n' "${newest[$name]:-0}" "$version" | sort -V | tail -n 1)
    if newer "$version" "${floor[$name]}"; then
      symbols=$(readelf --wide --dyn-syms "$file" | awk -v v="@${name}_$version" '$7 == "UND" && index($8 "@", v "@") {print $8}' | paste -sd' ')
      breach "$file needs ${name}_$version, newer than ${floor[$name]}: $symbols"
    fi
  done < <(readelf --wide --version-info "$file" | sed -n '/needs section/,$s/.*Name: \([A-Z]*_[A-Z0-9_.]*\) .*/\1/p' | sort -u)
}

check_needed() {
  local file=$1 library path
  while read -r library; do
    if [[ $library =~ $opened_at_run_time ]]; then breach "$file links $library, which must be opened at run time"; continue; fi
    [[ $library =~ $system ]] || [ -e "$folder/lib/$library" ] || breach "$file needs $library: neither in lib/ nor a system library"
  done < <(readelf --wide --dynamic "$file" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p')
  while read -r path; do
    [ "$path" = '$ORIGIN/../lib' ] || breach "$file searches $path"
  done < <(readelf --wide --dynamic "$file" | sed -n 's/.*(R\(UN\)\?PATH).*\[\(.*\)\]/\2/p')
  # grep's -c reads all of its input, so that strings is not killed by a closed pipe.
  if [ -n "$forbidden" ] && [ "$(strings -a "$file" | grep -cF -- "$forbidden")" -gt 0 ]; then breach "$file mentions $forbidden"; fi
}

declare -A newest=()
files=0
while IFS= read -r -d '' file; do
  is_elf "$file" || continue
  files=$((files + 1))
  check_versions "$file"
  check_needed "$file"
done < <(find "$folder" -type f -print0)

[ "$files" -gt 0 ] || breach "no ELF file in $folder"
for name in GLIBC GLIBCXX CXXABI GCC; do printf '%s %s (at most %s)\n' "$name" "${newest[$name]:-none}" "${floor[$name]}"; done
echo "$files ELF files, $breaches breaches"
[ "$breaches" -eq 0 ]
