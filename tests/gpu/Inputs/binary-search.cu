extern "C" __global__ void search(const int *sorted, int *found, int count,
                                  const int *keys) {
  int key = keys[threadIdx.x];
  int left = 0, right = count - 1, at = -1;
  while (left <= right) {
    int middle = (left + right) >> 1;
    int value = sorted[middle];
    if (value > key) {
      right = middle - 1;
    } else if (value < key) {
      left = middle + 1;
    } else {
      at = middle;
      break;
    }
  }
  if (at >= 0)
    atomicAdd(&found[at], 1);
}
