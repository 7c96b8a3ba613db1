extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x, v = in[t], r;
  if (v & 1) { r = __shfl_xor_sync(0xffffffffu, v, 1); r += 5; }
  else { r = __shfl_xor_sync(0xffffffffu, v + 1, 2); r ^= 9; }
  out[t] = r;
}
