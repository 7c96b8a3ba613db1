struct Opt { bool has; unsigned v; };
__device__ __noinline__ Opt find(const unsigned *in, unsigned t) { Opt o; o.has = in[t] > 40; if (o.has) o.v = in[t] * 2; return o; }
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x;
  Opt o = find(in, t);
  out[t] = o.has ? o.v : 7;
}
