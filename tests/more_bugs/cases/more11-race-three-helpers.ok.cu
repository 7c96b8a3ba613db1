struct Tile { unsigned d[80];
  __device__ void put(unsigned i, unsigned v) { d[i] = v; }
  __device__ unsigned get(unsigned i) const { return d[79 - i]; } };
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ Tile a;
  unsigned t = threadIdx.x;
  a.put(t, in[t]);
  __syncthreads();
  unsigned v = a.get(t);
  __syncthreads();
  a.put(t, v + 1);
  __syncthreads();
  out[t] = a.get(t);
}
