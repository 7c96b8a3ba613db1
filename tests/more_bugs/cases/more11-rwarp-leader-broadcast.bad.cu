// The leader puts a base where all lanes fetch it; noinline.
__shared__ unsigned base[2];
__device__ __noinline__ unsigned get(unsigned w) { return base[w]; }  //~ FAULT
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x, w = t / 32;
  if (t % 32 == 0) base[w] = in[t];  //~ FAULT
  out[t] = get(w) + t;
}
