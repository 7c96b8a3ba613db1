__device__ void publish(unsigned *p, unsigned v) { *p = v; __threadfence(); }
extern "C" __global__ void k(unsigned *out, const unsigned *in, unsigned *part, unsigned *n) {
  if (threadIdx.x == 0) {
    if (blockIdx.x == 0) publish(part, in[3]);
    if (blockIdx.x == 0) atomicExch(n, 1);
    else if (atomicAdd(n, 0)) { __threadfence(); out[0] = *part; }
  }
}
