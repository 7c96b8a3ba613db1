// Write, read and write again through three helpers; one barrier is missing between the latter two.
struct Tile { unsigned d[80];
  __device__ void put(unsigned i, unsigned v) { d[i] = v; }  //~ FAULT
  __device__ unsigned get(unsigned i) const { return d[79 - i]; } };  //~ FAULT
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ Tile a;
  unsigned t = threadIdx.x;
  a.put(t, in[t]);
  __syncthreads();
  unsigned v = a.get(t);  //~ FAULT
  a.put(t, v + 1);  //~ FAULT
  __syncthreads();
  out[t] = a.get(t);
}
