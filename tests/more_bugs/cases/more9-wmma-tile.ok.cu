#include <mma.h>
#include <cuda_fp16.h>
using namespace nvcuda;
extern "C" __global__ void k(float *out, const unsigned *in) {
  __shared__ __align__(32) __half a[256], b[256];
  __shared__ __align__(32) float d[256];
  unsigned t = threadIdx.x;
  for (unsigned i = t; i < 256; i += 64) { a[i] = __float2half(in[i % 64] % 4); b[i] = __float2half(in[(i + 1) % 64] % 3); }
  __syncthreads();
  if (t < 32) {
    wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::col_major> fb;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> fd;
    wmma::fill_fragment(fd, 0.f);
    wmma::load_matrix_sync(fa, a, 16);
    wmma::load_matrix_sync(fb, b, 16);
    wmma::mma_sync(fd, fa, fb, fd);
    wmma::store_matrix_sync(d, fd, 16, wmma::mem_row_major);
    __syncwarp();
    for (unsigned i = t; i < 256; i += 32) out[i] = d[i];
  }
}
