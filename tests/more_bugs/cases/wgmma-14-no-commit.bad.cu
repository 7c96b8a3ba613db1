#include <cuda_fp16.h>
// Tiles without a swizzle: cores of 8 x 8 halves, 128 bytes each, one after the other.
__device__ unsigned long long tile(const void *p, unsigned leading, unsigned stride) {
  unsigned long long a = __cvta_generic_to_shared(p);
  return (a >> 4 & 0x3fff) | (unsigned long long)(leading >> 4) << 16 | (unsigned long long)(stride >> 4) << 32;
}
__device__ void product(float (&d)[4], unsigned long long a, unsigned long long b) {
  asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, %4, %5, 1, 1, 1, 0, 0;"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "l"(a), "l"(b));
}
extern "C" __global__ void __launch_bounds__(128) k(float *out) {
  __shared__ __align__(128) __half a[64 * 16], b[8 * 16];
  unsigned t = threadIdx.x;
  for (unsigned i = t; i < 64 * 16; i += 128) a[i] = __float2half(i % 7);
  b[t] = __float2half(t % 5);
  asm volatile("fence.proxy.async;" ::: "memory");
  __syncthreads();
  float d[4] = {};
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
  product(d, tile(a, 128, 256), tile(b, 128, 256));
  asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
  for (int i = 0; i < 4; ++i) out[t * 4 + i] = d[i];  //~ FAULT async-wait
}
