# Turns what `ptxas -v` says into one line a kernel:
#   architecture kernel registers stack-bytes spill-store-bytes spill-load-bytes shared-bytes
/Compiling entry function/ { split($0, quoted, "'"); kernel = quoted[2] }
/Function properties for/ { current = $NF }
/bytes stack frame/ && kernel != "" && current == kernel { stack = $1; stores = $5; loads = $9 }
/Used [0-9]+ registers/ && kernel != "" {
  match($0, /Used [0-9]+/); registers = substr($0, RSTART + 5, RLENGTH - 5)
  shared = 0
  if (match($0, /[0-9]+ bytes smem/)) { shared = substr($0, RSTART, RLENGTH); sub(/ .*/, "", shared) }
  print arch, kernel, registers, stack + 0, stores + 0, loads + 0, shared
  kernel = ""; stack = stores = loads = 0
}
