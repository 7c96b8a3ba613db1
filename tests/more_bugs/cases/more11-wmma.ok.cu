// Two warps, each a 16x16 tile by wmma, put together through shared memory.
#include <mma.h>
#include <cuda_fp16.h>
using namespace nvcuda;
extern "C" __global__ void k(float *out, const __half *a, const __half *b) {
  __shared__ float s[2][256];
  unsigned w = threadIdx.x / 32;
  wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::col_major> fb;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc;
  wmma::fill_fragment(fc, (float)w);
  wmma::load_matrix_sync(fa, a + w * 256, 16);
  wmma::load_matrix_sync(fb, b + w * 256, 16);
  wmma::mma_sync(fc, fa, fb, fc);
  wmma::store_matrix_sync(s[w], fc, 16, wmma::mem_row_major);
  __syncthreads();
  for (unsigned i = threadIdx.x; i < 512; i += 64) out[i] = s[1 - i / 256][i % 256];
}
