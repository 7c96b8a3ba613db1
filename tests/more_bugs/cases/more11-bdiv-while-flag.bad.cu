// Each thread leaves the relaxation when its own value is settled.
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned s[96];
  unsigned t = threadIdx.x, x = in[t];
  s[t] = x;
  int going = 1;
  do {
    __syncthreads();  //~ FAULT
    unsigned y = s[(t + 1) % 96];
    __syncthreads();  //~ FAULT
    if (y < x) x = y; else going = 0;
    s[t] = x;
  } while (going);
  out[t] = x;
}
