struct Rec { unsigned char tag; unsigned v; unsigned short h; };
extern "C" __global__ void k(Rec *out, const unsigned *in) {
  __shared__ Rec s[32];
  unsigned t = threadIdx.x;
  Rec r; r.tag = t; r.v = in[t]; r.h = 3;
  s[t] = r;
  __syncwarp();
  Rec q = s[31 - t];
  out[t].tag = q.tag; out[t].v = q.v; out[t].h = q.h;
}
