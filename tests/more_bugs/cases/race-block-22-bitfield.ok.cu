struct Flags { unsigned char a; unsigned char b; unsigned short c; };
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ Flags f;
  unsigned t = threadIdx.x;
  if (t == 0) { f.a = 1; f.b = 0; f.c = 0; }
  __syncthreads();
  if (t == 0) f.b = in[3];
  if (t == 32) f.c = in[4];
  __syncthreads();
  if (t == 0) { out[0] = f.b; out[1] = f.c; }
}
