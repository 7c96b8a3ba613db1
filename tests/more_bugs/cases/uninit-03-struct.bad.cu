struct S { unsigned a, b; };
__device__ __noinline__ void fill(volatile S *s, unsigned x) { s->a = x; if (x > 10) s->b = 1; }
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  volatile S s;
  fill(&s, in[threadIdx.x]);
  out[threadIdx.x] = s.a + s.b;  //~ FAULT uninit-local
}
