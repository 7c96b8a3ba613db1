// Lanes that find nothing store what happens to be in the register.
__device__ __noinline__ bool find(unsigned key, unsigned *index) {
  if (key % 3) return false;
  *index = key / 3;
  return true;
}
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned i;
  find(in[threadIdx.x], &i);
  out[threadIdx.x] = i;  //~ FAULT uninit-local
}
