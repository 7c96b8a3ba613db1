// Partly written structures whose unwritten parts are copied and thrown away; a union read by its live member only.
struct Item { unsigned key; unsigned short tag; unsigned char kind; union { float f; unsigned u[3]; } body; };
__device__ __noinline__ Item make(unsigned v) {
  Item i;
  i.key = v;
  i.kind = v % 2;
  if (i.kind) i.body.f = v; else { i.body.u[0] = v; i.body.u[1] = v + 1; }
  return i;
}
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ Item items[64];
  unsigned t = threadIdx.x;
  items[t] = make(in[t]);
  __syncthreads();
  Item i = items[63 - t];
  Item copy[2];
  copy[t & 1] = i;
  out[t] = copy[t & 1].kind ? (unsigned)copy[t & 1].body.f : copy[t & 1].body.u[0] + copy[t & 1].body.u[1];
}
