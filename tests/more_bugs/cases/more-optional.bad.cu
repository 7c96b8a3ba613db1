struct Opt { bool has; unsigned v; };
__device__ __noinline__ void find(Opt *o, const unsigned *in, unsigned t) { o->has = in[t] > 40; if (in[t] > 40) o->v = in[t] * 2; }
__device__ __noinline__ unsigned get(const Opt *o) { return o->v; } //~ FAULT uninit-local
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x;
  Opt o;
  find(&o, in, t); //~ FAULT uninit-local
  out[t] = get(&o); //~ FAULT uninit-local
}
