struct Flags { unsigned a : 4; unsigned b : 4; unsigned c : 24; };
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ Flags f;
  unsigned t = threadIdx.x;
  if (t == 0) { f.a = 1; f.b = 0; f.c = 0; }
  __syncthreads();
  if (t == 0) f.b = in[3];  //~ FAULT race-block
  if (t == 32) f.c = in[4];  //~ FAULT race-block
  __syncthreads();
  if (t == 0) { out[0] = f.b; out[1] = f.c; }
}
