extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ uint4 s[32];
  unsigned t = threadIdx.x;
  s[t].x = in[t]; s[t].y = 1; s[t].z = 2;
  __syncwarp();
  uint4 v = s[31 - t];  //~ FAULT uninit-shared
  out[t] = v.x + v.w;  //~ FAULT uninit-shared
}
