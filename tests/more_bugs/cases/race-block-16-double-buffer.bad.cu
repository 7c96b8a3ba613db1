extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned buf[2][64];
  unsigned t = threadIdx.x, acc = 0;
  buf[0][t] = in[t];
  __syncthreads();
  for (unsigned r = 1; r <= 4; ++r) {
    if (r < 4) buf[r & 1][t] = in[64 * r + t];  //~ FAULT race-block
    acc = 3 * acc + buf[(r - 1) & 1][63 - t];  //~ FAULT race-block
  }
  out[t] = acc;
}
