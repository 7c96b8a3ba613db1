// An atomic of eight bytes on a counter that stands at an odd word.
struct Stats { unsigned n; unsigned pad; unsigned tail[2]; };
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ __align__(8) unsigned raw[8];
  unsigned t = threadIdx.x;
  if (t < 8) raw[t] = 0;
  __syncthreads();
  atomicAdd((unsigned long long *)(raw + 1 + (in[t] & 2)), 1ull);  //~ FAULT misaligned
  __syncthreads();
  if (t < 8) out[t] = raw[t];
}
