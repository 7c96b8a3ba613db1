extern "C" __global__ void k(unsigned *out, unsigned *scratch, const unsigned *in, unsigned n) {
  unsigned i = blockIdx.x * 32 + threadIdx.x;
  if (i < n) scratch[i] = in[i] * in[i];
  __syncwarp();
  unsigned j = blockIdx.x * 32 + (31 - threadIdx.x);
  out[i] = scratch[j] > 100 ? 1 : 2;  //~ FAULT uninit-global
}
