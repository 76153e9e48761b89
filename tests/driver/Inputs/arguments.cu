#include <cstdio>
int main(int count, char **arguments) {
  printf("%d %s\n", count, arguments[count - 1]);
  return 3;
}
