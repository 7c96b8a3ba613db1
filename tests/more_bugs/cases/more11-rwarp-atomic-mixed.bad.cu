// A histogram by atomics, then read at once by its owner, plain.
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned h[16];
  unsigned t = threadIdx.x;
  if (t < 16) h[t] = 0;
  __syncwarp();
  atomicAdd(&h[in[t] % 16], 1);  //~ FAULT
  if (t < 16) out[t] = h[t];  //~ FAULT
}
