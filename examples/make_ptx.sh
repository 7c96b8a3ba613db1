#!/bin/sh
# Compiles the examples to PTX with nvcc (13.0 for what is committed), without paths of this machine in it.
# Usage: examples/make_ptx.sh [NAME...]; nvcc is taken from CUDA_HOME, else from the path.
set -eu
cd "$(dirname "$0")"
nvcc=${CUDA_HOME:+$CUDA_HOME/bin/}nvcc
[ $# -gt 0 ] || set -- *.cu
for source in "$@"; do
  name=${source%.cu}
  "$nvcc" -arch=sm_90 -lineinfo -ptx "$name.cu" -o "$name.ptx"
  sed -i -E "s|^(\s*\.file\s+[0-9]+ \")$PWD/|\1|; s|^(\s*\.file\s+[0-9]+ \").*/include/|\1cuda/include/|" "$name.ptx"
done
