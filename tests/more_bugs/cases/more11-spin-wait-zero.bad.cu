// A countdown in shared memory that starts one too high.
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ volatile int left;
  unsigned t = threadIdx.x;
  if (t == 0) left = 64;
  __syncthreads();
  if (t) atomicSub((int *)&left, 1);
  else while (left) {}  //~ FAULT
  __syncthreads();  //~ FAULT
  out[t] = in[t];
}
