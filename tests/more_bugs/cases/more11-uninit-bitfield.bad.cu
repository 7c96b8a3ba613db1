// One bit field of a shared structure is never set.
struct B { unsigned a : 5, b : 11, c : 16; };
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ B s[32];
  unsigned t = threadIdx.x;
  s[t].a = in[t]; s[t].c = t;
  __syncwarp();
  out[t] = s[31 - t].a + s[31 - t].b;  //~ FAULT
}
