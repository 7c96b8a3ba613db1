// __syncthreads_or in a loop with break on the own value; 33 threads.
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x, x = in[t], r = 0;
  for (int i = 0; i < 4; ++i) {
    if (x < 10) break;
    r += __syncthreads_or(x & (1 << i));  //~ FAULT
    x /= 2;
  }
  r += __syncthreads_count(x > 2);  //~ FAULT
  out[t] = r;
}
