#include <math.h>
int seven(void) { return (int)lround(7.2); }
