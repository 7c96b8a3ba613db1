// stmatrix and the reads of its tile are not ordered.
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ __align__(16) unsigned s[64];
  unsigned t = threadIdx.x;
  unsigned at = (unsigned)__cvta_generic_to_shared(s + 4 * (t % 16));
  asm volatile("stmatrix.sync.aligned.m8n8.x2.shared.b16 [%0], {%1, %2};" ::"r"(at), "r"(in[t]), "r"(in[t + 32]) : "memory");  //~ FAULT race-warp
  out[t] = s[t] + s[63 - t];  //~ FAULT race-warp
}
