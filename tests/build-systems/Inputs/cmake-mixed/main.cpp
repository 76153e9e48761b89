#include <cstdio>
extern "C" int c_part();
extern "C" int fortran_part(int);
extern "C" int kernel_part();
int main() {
  std::printf("hello %d\n", c_part() + fortran_part(20) + kernel_part());
}
