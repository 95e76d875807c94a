#!/usr/bin/env bash
# Prints the licences of everything the package carries that is not Ridge's own: third-party-notices.sh BUILD-FOLDER LIB-FOLDER
# Two sources, so that no list has to be kept: the shared libraries in LIB-FOLDER, and every system header that the build
# read (ninja's dependency log). Each is traced to its Debian package, whose copyright file is printed once per source package.
set -euo pipefail
build=$1 libraries=$2

# The C and C++ standard libraries and the kernel's headers are the system's, not the package's.
ours='^(libc6|libc6-dev|linux-libc-dev|libstdc\+\+.*|libgcc.*|gcc.*|g\+\+.*|clang.*|libcrypt-dev)$'

owners() { { grep -v '^diversion ' || true; } | sed 's/: .*//; s/, /\n/g; s/:[a-z0-9]*$//' | sort -u; }
packages_of_libraries() {
  find "$libraries" -type f -name '*.so*' -printf '*/%f\n' | xargs -r dpkg-query -S | owners
}
packages_of_headers() {
  ninja -C "$build" -t deps | sed -n 's|^ *\(/usr/include/.*\)|\1|p' | sort -u | xargs -r dpkg-query -S | owners
}

packages=$( { packages_of_libraries; packages_of_headers; } | sort -u | { grep -Ev "$ours" || true; })
[ -n "$packages" ] || { echo "third-party-notices: no package found" >&2; exit 1; }

echo "Ridge is licensed under the Apache License 2.0 (see LICENSE). This package also carries, as shared libraries in lib/"
echo "or compiled into bin/ridge from headers, the following software under its own licences."
declare -A printed
for package in $packages; do
  source=$(dpkg-query -W -f '${source:Package} ${source:Version}' "$package")
  [ -z "${printed[$source]:-}" ] || continue
  printed[$source]=yes
  printf '\n==== %s\n\n' "$source"
  cat "/usr/share/doc/$package/copyright"
done
