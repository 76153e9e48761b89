extern "C" void say(int);
int main() { say(7); }
