// cp.reduce.async.bulk whose group is not waited for before the source is cleared.
__device__ unsigned at(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ __align__(16) unsigned s[32];
  unsigned t = threadIdx.x;
  s[t] = in[blockIdx.x * 32 + t];
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncwarp();
  if (t == 0) {
    asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%0], [%1], 128;\n cp.async.bulk.commit_group;" :: "l"(out), "r"(at(s)) : "memory");  //~ FAULT
  }
  __syncwarp();
  s[t] = 0;  //~ FAULT
}
