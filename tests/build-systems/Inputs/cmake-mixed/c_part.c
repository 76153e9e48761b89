int c_part(void) { return 1; }
