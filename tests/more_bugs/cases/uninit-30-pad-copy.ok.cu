struct alignas(16) Rec { unsigned char tag; unsigned val; unsigned extra[2]; };
extern "C" __global__ void k(Rec *out, const unsigned *in) {
  unsigned t = threadIdx.x;
  volatile unsigned idx = in[t] & 1;
  Rec r;
  r.tag = t;
  r.val = in[t];
  r.extra[0] = 3; r.extra[1] = 4;
  r.extra[idx] = 7;
  out[t].tag = r.tag; out[t].val = r.val; out[t].extra[0] = r.extra[0]; out[t].extra[1] = r.extra[1];
}
