#include "kernel.h"
int check(const int *a, int n) {
  for (int i = 0; i < n; ++i)
    if (a[i] != i * i)
      return 0;
  return n == SIZE;
}
