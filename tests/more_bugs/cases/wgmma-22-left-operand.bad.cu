#include <cuda_fp16.h>
// Operand A comes from registers, which are loaded again while the product may still read them.
__device__ unsigned long long tile(const void *p) {
  unsigned long long a = __cvta_generic_to_shared(p);
  return (a >> 4 & 0x3fff) | 8ull << 16 | 16ull << 32;
}
extern "C" __global__ void __launch_bounds__(128) k(float *out) {
  __shared__ __align__(128) __half b[8 * 16];
  __shared__ unsigned left[128 * 8];
  unsigned t = threadIdx.x;
  b[t] = __float2half(t % 5);
  for (unsigned i = t; i < 128 * 8; i += 128) left[i] = 0x3c003c00 + i % 3;
  asm volatile("fence.proxy.async;" ::: "memory");
  __syncthreads();
  float d[4] = {};
  unsigned at = (unsigned)__cvta_generic_to_shared(left + 8 * t);
  asm volatile(
      //~ FAULT async-wait
      "{\n .reg .b32 a0, a1, a2, a3;\n ld.shared.v4.b32 {a0, a1, a2, a3}, [%4];\n wgmma.fence.sync.aligned;\n"
      " wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, {a0, a1, a2, a3}, %5, 1, 1, 1, 0;\n"
      " wgmma.commit_group.sync.aligned;\n ld.shared.v4.b32 {a0, a1, a2, a3}, [%4+16];\n"
      " wgmma.wait_group.sync.aligned 0;\n wgmma.fence.sync.aligned;\n"
      " wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, {a0, a1, a2, a3}, %5, 1, 1, 1, 0;\n"
      " wgmma.commit_group.sync.aligned;\n wgmma.wait_group.sync.aligned 0;\n}"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])  //~ FAULT async-wait
      : "r"(at), "l"(tile(b)) : "memory");  //~ FAULT async-wait
  for (int i = 0; i < 4; ++i) out[t * 4 + i] = d[i];
}
