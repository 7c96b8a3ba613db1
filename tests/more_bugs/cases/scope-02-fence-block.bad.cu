extern "C" __global__ void k(unsigned *out, volatile unsigned *box, const unsigned *in) {
  if (threadIdx.x) return;
  unsigned *data = (unsigned *)box;
  if (blockIdx.x == 0) {
    data[0] = in[0];  //~ FAULT race-scope
    __threadfence_block();
    box[1] = 1;
  } else {
    while (!box[1]) { }
    __threadfence_block();
    out[0] = data[0];  //~ FAULT race-scope
  }
}
