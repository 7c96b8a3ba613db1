// ldmatrix reads rows that the other warp writes.
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ __align__(16) unsigned s[64];
  unsigned t = threadIdx.x, r, q;
  s[t] = in[t];  //~ FAULT
  __syncwarp();
  unsigned at = (unsigned)__cvta_generic_to_shared(s) + (t % 16) * 16;
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];" : "=r"(r), "=r"(q) : "r"(at) : "memory");  //~ FAULT
  out[t] = r + q;
}
