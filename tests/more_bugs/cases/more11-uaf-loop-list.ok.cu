struct N { unsigned v; N *next; };
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  N *head = nullptr;
  for (int i = 0; i < 8; ++i) { N *n = (N *)malloc(sizeof(N)); n->v = in[i]; n->next = head; head = n; }
  unsigned s = 0;
  for (N *p = head; p;) {
    N *next = p->next;
    s += p->v;
    free(p);
    p = next;
  }
  out[0] = s;
}
