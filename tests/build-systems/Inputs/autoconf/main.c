void say(int);
int main(void) {
  say(7);
  return 0;
}
