// A block-wide queue: slots by atomicAdd, the count read before all have pushed.
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned q[96], n;
  unsigned t = threadIdx.x;
  if (t == 0) n = 0;
  __syncthreads();
  if (in[t] & 1) q[atomicAdd(&n, 1)] = t;  //~ FAULT
  unsigned c = n;  //~ FAULT
  __syncthreads();
  out[t] = t < c;
}
