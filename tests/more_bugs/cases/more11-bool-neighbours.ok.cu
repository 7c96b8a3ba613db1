// Bytes by neighbouring threads, each its own.
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ bool seen[100];
  __shared__ unsigned short half[100];
  unsigned t = threadIdx.x;
  seen[t] = in[t] & 1;
  half[t] = in[t];
  __syncthreads();
  out[t] = seen[99 - t] + half[(t + 1) % 100];
}
