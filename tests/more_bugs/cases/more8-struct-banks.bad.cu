// A table of structures in shared memory: the members of the odd banks are never set.
struct Bank { unsigned low, high; float weight; };
extern "C" __global__ void k(float *out, const unsigned *in) {
  __shared__ Bank bank[64];
  unsigned t = threadIdx.x;
  bank[t].low = in[t];
  if (t % 2 == 0) bank[t].high = in[t] * 2;
  bank[t].weight = 0.5f;
  __syncthreads();
  Bank b = bank[63 - t];  //~ FAULT uninit-shared
  out[t] = b.weight * (float)(b.low + b.high);  //~ FAULT uninit-shared
}
