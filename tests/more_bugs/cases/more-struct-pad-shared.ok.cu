struct P { unsigned short a; unsigned b; unsigned char c; };
extern "C" __global__ void k(P *out, const unsigned *in) {
  __shared__ P q[32];
  unsigned t = threadIdx.x;
  q[t].a = in[t]; q[t].b = t; q[t].c = 3;
  __syncwarp();
  out[t] = q[31 - t];
}
