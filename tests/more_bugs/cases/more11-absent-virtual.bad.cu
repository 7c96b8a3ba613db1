// Virtual calls: one class shuffles with the full mask, the other does not.
struct Op { __device__ virtual unsigned go(unsigned x) const = 0; };
struct Sum : Op { __device__ __noinline__ unsigned go(unsigned x) const override {
  return x + __shfl_xor_sync(0xffffffffu, x, 1);  //~ FAULT
} };
struct Keep : Op { __device__ __noinline__ unsigned go(unsigned x) const override { return x; } };
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  Sum sum; Keep keep;
  unsigned t = threadIdx.x, x = in[t];
  const Op *op = x % 3 ? (const Op *)&sum : (const Op *)&keep;
  unsigned r = op->go(x);
  __syncwarp();
  out[t] = r;
}
