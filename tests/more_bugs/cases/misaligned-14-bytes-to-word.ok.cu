template <class T> __device__ T read_at(const unsigned char *p, unsigned byte) { T v; memcpy(&v, p + byte, sizeof v); return v; }
extern "C" __global__ void k(unsigned *out, const unsigned char *in) {
  unsigned t = threadIdx.x;
  out[t] = read_at<unsigned short>(in, 3 * t);
}
