// A tile in two buffers: the next is loaded while the present one is used, but nothing keeps the loader from overtaking.
template <int N> __device__ unsigned sum(const unsigned (&row)[N], unsigned t) {
  unsigned s = 0;
#pragma unroll
  for (int i = 0; i < 4; ++i) s += row[(t + 17 * i) % N];  //~ FAULT race-block
  return s;
}
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned buffer[2][64];
  unsigned t = threadIdx.x, acc = 0;
  buffer[0][t] = in[t];
  __syncthreads();
  for (int i = 0; i < 3; ++i) {
    buffer[(i + 1) % 2][t] = in[(t + i) % 64] + i;  //~ FAULT race-block
    acc += sum(buffer[i % 2], t);  //~ FAULT race-block
    if (i == 0) __syncthreads();
  }
  out[t] = acc;
}
