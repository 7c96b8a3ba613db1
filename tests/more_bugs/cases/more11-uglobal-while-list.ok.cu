struct N { unsigned val; N *next; };
extern "C" __global__ void k(unsigned *out, const unsigned *in, N *n) {
  for (int i = 0; i < 3; ++i) { n[i].val = in[i]; if (i) n[i - 1].next = n + i; }
  n[2].next = nullptr;
  unsigned s = 0;
  for (N *p = n; p; p = p->next) s += p->val;
  *out = s;
}
