// The tile's second half is stored by nobody; the matrix load takes it in.
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ __align__(16) unsigned s[128];
  unsigned t = threadIdx.x, r0, r1, r2, r3;
  for (unsigned i = t; i < 96; i += 32) s[i] = in[i % 64];
  __syncwarp();
  unsigned at = (unsigned)__cvta_generic_to_shared(s + 4 * t);
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"  //~ FAULT uninit-shared
               : "=r"(r0), "=r"(r1), "=r"(r2), "=r"(r3) : "r"(at) : "memory");  //~ FAULT uninit-shared
  out[t] = r0 + r1 + r2 + r3;  //~ FAULT uninit-shared
}
