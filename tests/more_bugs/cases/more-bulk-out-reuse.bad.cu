#define ADDR(p) ((unsigned)__cvta_generic_to_shared(p))
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ alignas(16) unsigned s[64];
  unsigned t = threadIdx.x;
  for (int r = 0; r < 3; ++r) {
    s[t] = in[64 * r + t]; //~ FAULT async-wait
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    if (t == 0) {
      asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 256;" :: "l"(out + 64 * r), "r"(ADDR(s)) : "memory"); //~ FAULT async-wait
      asm volatile("cp.async.bulk.commit_group;" ::: "memory");
      
    }
    __syncthreads();
  }
  if (t == 0) asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
}
