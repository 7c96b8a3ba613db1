// A list is freed while it is walked.
struct N { unsigned v; N *next; };
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  N *head = nullptr;
  for (int i = 0; i < 8; ++i) { N *n = (N *)malloc(sizeof(N)); n->v = in[i]; n->next = head; head = n; }
  unsigned s = 0;
  for (N *p = head; p;) {
    s += p->v;
    free(p);
    p = p->next;  //~ FAULT
  }
  out[0] = s;
}
