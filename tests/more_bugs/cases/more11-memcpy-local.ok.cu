// Structures copied as wholes between local, shared and global memory with vector accesses.
struct __align__(16) V { unsigned a[4]; unsigned char pad[5]; unsigned long long b; };
__device__ __noinline__ void fix(V *v) { v->b += v->a[0]; v->pad[4] = v->a[1]; }
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ V s[32];
  unsigned t = threadIdx.x;
  V v = {{in[t], in[t + 32], in[t + 64], in[t + 96]}, {1, 2, 3, 4, 5}, 7};
  fix(&v);
  s[t] = v;
  __syncwarp();
  V w = s[31 - t];
  fix(&w);
  out[t] = w.a[2] + (unsigned)w.b + w.pad[t % 5];
  out[t + 32] = w.a[t & 3]; out[t + 64] = 1; out[t + 96] = 2;
}
