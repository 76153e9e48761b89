#include <cstdio>
int total();
int main() { std::printf("hello %d\n", total()); }
