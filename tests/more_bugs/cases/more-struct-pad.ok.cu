struct P { unsigned char a; unsigned b; };
extern "C" __global__ void k(P *out, const unsigned *in) {
  P q[4];
  unsigned t = threadIdx.x;
  for (int i = 0; i < 4; ++i) { q[i].a = in[t] + i; q[i].b = in[t + i]; }
  out[t] = q[in[t] & 3];
}
