// ldmatrix of eight rows from a tile that has seven.
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ __align__(16) unsigned s[28];
  unsigned t = threadIdx.x, r;
  if (t < sizeof(s) / 4) s[t] = in[t];
  __syncwarp();
  unsigned at = (unsigned)__cvta_generic_to_shared(s) + (t % 8) * 16;
  asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(r) : "r"(at) : "memory");  //~ FAULT
  out[t] = r;
}
