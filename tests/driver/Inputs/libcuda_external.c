// Functions of libcuda that no table of the runtime's names; beside libcuda.c.
int cuDestroyExternalMemory(void *memory) {
  return memory == (void *)7 ? 0 : 1;
}
int cuGraphicsResourceSetMapFlags_v2(void *resource, unsigned flags) {
  return resource == (void *)9 && flags == 2 ? 400 : 1;
}
int cuTensorMapReplaceAddress(unsigned long long *map, void *address) {
  map[1] = (unsigned long long)address;
  return 0;
}
