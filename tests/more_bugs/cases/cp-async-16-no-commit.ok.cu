extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ __align__(16) unsigned s[32];
  unsigned t = threadIdx.x, a = __cvta_generic_to_shared(&s[t]);
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" :: "r"(a), "l"(in + t) : "memory");
  asm volatile("cp.async.wait_all;" ::: "memory");
  out[t] = s[t];
}
