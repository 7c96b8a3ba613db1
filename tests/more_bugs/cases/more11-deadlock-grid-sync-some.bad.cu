// A hand-made grid barrier whose count expects one block more.
extern "C" __global__ void k(unsigned *out, unsigned *count, const unsigned *in) {
  unsigned i = blockIdx.x * 48 + threadIdx.x;
  out[i] = in[i];
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    atomicAdd(count, 1);
    unsigned want = gridDim.x;
    want += 1;
    while (*(volatile unsigned *)count < want) {}  //~ FAULT
    __threadfence();
  }
  __syncthreads();  //~ FAULT
  out[i] += 1;
}
