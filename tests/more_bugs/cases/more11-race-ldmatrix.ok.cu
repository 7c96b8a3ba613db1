extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ __align__(16) unsigned s[64];
  unsigned t = threadIdx.x, r, q;
  s[t] = in[t];
  __syncthreads();
  unsigned at = (unsigned)__cvta_generic_to_shared(s) + (t % 16) * 16;
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];" : "=r"(r), "=r"(q) : "r"(at) : "memory");
  out[t] = r + q;
}
