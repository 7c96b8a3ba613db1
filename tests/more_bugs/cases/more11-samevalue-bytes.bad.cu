// All threads that find something write their bit into one shared byte.
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned char found;
  unsigned t = threadIdx.x;
  if (t == 0) found = 0;
  __syncthreads();
  if (in[t] > 20) found = found | 1 << (t % 8);  //~ FAULT
  __syncthreads();
  if (t == 0) out[0] = found;
}
