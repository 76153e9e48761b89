#include <cstdio>
#include <omp.h>
int main() {
  int sum = 0;
#pragma omp parallel num_threads(3) reduction(+ : sum)
  sum += 1 + (omp_get_num_threads() == 3);
  printf("%d of 6\n", sum);
}
