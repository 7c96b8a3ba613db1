// A fence of block scope in a last-block pattern, one of two places.
__device__ void publish(unsigned *p, unsigned v) { *p = v; __threadfence_block(); }  //~ FAULT
extern "C" __global__ void k(unsigned *out, const unsigned *in, unsigned *part, unsigned *n) {
  if (threadIdx.x == 0) {
    if (blockIdx.x == 0) publish(part, in[3]);  //~ FAULT
    if (blockIdx.x == 0) atomicExch(n, 1);
    else if (atomicAdd(n, 0)) { __threadfence(); out[0] = *part; }  //~ FAULT
  }
}
