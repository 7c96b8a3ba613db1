// A bulk store from shared memory; the buffer is written again before it has been read.
__device__ unsigned at(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ __align__(128) unsigned s[64];
  unsigned t = threadIdx.x;
  for (int r = 0; r < 2; ++r) {
    s[t] = in[t] + r;  //~ FAULT
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    if (t == 0) {
      asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 256;\n cp.async.bulk.commit_group;" :: "l"(out + 64 * r), "r"(at(s)) : "memory");  //~ FAULT
    }
    __syncthreads();
  }
  if (t == 0) asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
}
