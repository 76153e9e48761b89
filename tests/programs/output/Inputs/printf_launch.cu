// A kernel that prints as C does, and what has come of it.
#include "../../Inputs/printed.h"

static Printed *printed;

__global__ void say() { printf("said\n"); }

extern "C" void say_and_end() {
  printed = new Printed;
  say<<<1, 1>>>();
  letEnd(nullptr);
}

/// Lines that have come: -1 if not only those of the kernel.
extern "C" int lines_said() {
  const std::string text = printed->text();
  delete printed;
  CHECK(cudaDeviceSynchronize());
  return text == "said\n" ? 1 : text.empty() ? 0 : -1;
}
