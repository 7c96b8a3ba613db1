union Scratch { unsigned keys[64]; unsigned char flags[256]; };
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ Scratch u;
  unsigned t = threadIdx.x;
  u.keys[t] = in[t];
  __syncthreads();
  unsigned v = u.keys[63 - t];  //~ FAULT race-block
  u.flags[t] = v & 1;  //~ FAULT race-block
  __syncthreads();
  out[t] = v + u.flags[t ^ 1];
}
