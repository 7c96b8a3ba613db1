extern "C" __global__ void k(unsigned *out, unsigned *l) {
  unsigned ns = 8;
  while (atomicExch(l, 1u)) {  //~ FAULT deadlock
    __nanosleep(ns);
    if (ns < 256) ns *= 2;
  }
  out[0] = threadIdx.x;
}
