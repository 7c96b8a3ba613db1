struct Bits { unsigned a : 12, b : 20; };
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ Bits s[16];
  unsigned t = threadIdx.x;
  if (t < 16) { s[t].a = 0; s[t].b = 0; }
  __syncwarp();
  if (t & 1) s[t / 2].a = in[t];
  __syncwarp();
  if (!(t & 1)) s[t / 2].b = in[t];
  __syncwarp();
  out[t] = s[t / 2].a + s[t / 2].b;
}
