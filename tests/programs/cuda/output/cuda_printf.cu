// In-kernel printf (guide B.14), assert, malloc, free, new and delete.
// EXPECT: Hello thread 0, f=1.234500
// EXPECT: Hello thread 4, f=1.234500
// EXPECT: 42|7    |1099511627776|ff|z|text|   3.142|    99|%
// EXPECT: none
// EXPECT: returned 9 0
// EXPECT: PASSED
#include <cassert>
#include <cstdio>
#include <cstdlib>
struct Node {
  int v;
  Node *next;
};

__global__ void hello(float f) {
  printf("Hello thread %d, f=%f\n", threadIdx.x, f);
}
__global__ void types(int *r) {
  int a = printf("%5d|%-5u|%lld|%x|%c|%s|%8.3f|%*d|%%\n", 42, 7u, 1ll << 40,
                 255, 'z', "text", 3.14159, 6, 99);
  int b = printf("none\n");
  r[0] = a;
  r[1] = b;
}
__global__ void list(int *out) {
  Node *head = nullptr;
  for (int i = 0; i < 4; ++i) {
    Node *n = (Node *)malloc(sizeof(Node));
    n->v = i * threadIdx.x;
    n->next = head;
    head = n;
  }
  int s = 0;
  while (head) {
    Node *n = head->next;
    s += head->v;
    free(head);
    head = n;
  }
  int *p = new int[10];
  p[3] = s;
  s = p[3];
  delete[] p;
  out[threadIdx.x] = s;
  assert(s == 6 * threadIdx.x);
}
int main() {
  hello<<<1, 5>>>(1.2345f);
  cudaDeviceSynchronize();
  int *r, h[2];
  cudaMalloc(&r, 8);
  types<<<1, 1>>>(r);
  cudaMemcpy(h, r, 8, cudaMemcpyDeviceToHost);
  printf("returned %d %d\n", h[0], h[1]);
  int *o, ho[32];
  cudaMalloc(&o, sizeof ho);
  list<<<1, 32>>>(o);
  cudaMemcpy(ho, o, sizeof ho, cudaMemcpyDeviceToHost);
  printf("%d %d\n", ho[1], ho[31]);
  printf("%s\n", cudaGetErrorString(cudaGetLastError()));
  printf("PASSED\n");
}
