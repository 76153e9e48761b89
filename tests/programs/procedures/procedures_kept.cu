// Procedures of device code that stay procedures on the CPU (as the device
// library's formatting does): scanning of strings, switches, tables, structures
// by value, results through pointers, small types, private memory of the
// kernel. What they find is what the host finds with the same code.
#include <cstdio>
#include <cstring>
#define KEPT __host__ __device__ __attribute__((noinline, cold, minsize))
typedef unsigned long long u64;
typedef long long i64;
struct Text {
  const char *start;
  u64 length;
};
struct Statement {
  const char *record;
  u64 at, length;
  int status;
  bool comma, sawItem, atEnd;
  i64 repeat;
  u64 repeated, used;
};
enum Found { Nothing, Value, Failed };
#define isDigit(c) ((c) >= '0' && (c) <= '9')
KEPT static char separator(const Statement *s) { return s->comma ? ';' : ','; }
KEPT static bool isEnd(const Statement *s, u64 at) {
  if (at >= s->length)
    return 1;
  const char c = s->record[at];
  return c == ' ' || c == '\t' || c == '/' || c == separator(s);
}
KEPT static bool skipBlanks(Statement *s) {
  for (;;) {
    while (s->at < s->length &&
           (s->record[s->at] == ' ' || s->record[s->at] == '\t'))
      ++s->at;
    if (s->at < s->length)
      return 1;
    return 0;
  }
}
KEPT static u64 endOfValue(const Statement *s, u64 at) {
  const char first = s->record[at];
  if (first == '\'' || first == '"') {
    for (++at; at < s->length; ++at)
      if (s->record[at] == first) {
        if (at + 1 >= s->length || s->record[at + 1] != first)
          return at + 1;
        ++at;
      }
    return at;
  }
  if (first == '(') {
    while (at < s->length && s->record[at] != ')')
      ++at;
    return at < s->length ? at + 1 : at;
  }
  while (!isEnd(s, at))
    ++at;
  return at;
}
KEPT static enum Found next(Statement *statement, struct Text *text) {
  if (statement->status)
    return Failed;
  if (statement->atEnd)
    return Nothing;
  if (statement->repeat > 0) {
    --statement->repeat;
    text->start = statement->record + statement->repeated;
    text->length = statement->used;
    return text->length ? Value : Nothing;
  }
  if (!skipBlanks(statement))
    return Failed;
  if (statement->sawItem &&
      statement->record[statement->at] == separator(statement)) {
    ++statement->at;
    if (!skipBlanks(statement))
      return Failed;
  }
  statement->sawItem = 1;
  const char c = statement->record[statement->at];
  if (c == '/')
    return statement->atEnd = 1, Nothing;
  if (c == separator(statement))
    return Nothing;
  u64 start = statement->at;
  i64 repeat = 1;
  u64 star = start;
  i64 number = 0;
  while (star < statement->length && isDigit(statement->record[star]))
    number = 10 * number + (statement->record[star++] - '0');
  if (star > start && star < statement->length &&
      statement->record[star] == '*') {
    start = star + 1;
    repeat = number;
  }
  const u64 end =
      isEnd(statement, start) ? start : endOfValue(statement, start);
  statement->at = end;
  statement->repeated = start;
  statement->used = end - start;
  statement->repeat = repeat - 1;
  text->start = statement->record + start;
  text->length = end - start;
  return text->length ? Value : Nothing;
}
KEPT static char lower(char c) {
  return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}
KEPT static bool digit(char c) { return c >= '0' && c <= '9'; }
KEPT static bool readInteger(Text text, int kind, i64 *value, int base) {
  u64 i = 0;
  bool negative = false;
  if (i < text.length && (text.start[i] == '-' || text.start[i] == '+'))
    negative = text.start[i++] == '-';
  if (i == text.length)
    return false;
  u64 v = 0;
  for (; i < text.length; ++i) {
    const char c = lower(text.start[i]);
    int d;
    if (digit(c))
      d = c - '0';
    else
      switch (c) {
      case '0':
      case '1':
      case '2':
      case '3':
      case '4':
      case '5':
      case '6':
      case '7':
      case '8':
      case '9':
        d = c - '0';
        break;
      case 'a':
      case 'A':
        d = 10;
        break;
      case 'b':
      case 'B':
        d = 11;
        break;
      case 'c':
      case 'C':
        d = 12;
        break;
      case 'e':
      case 'E':
        d = 14;
        break;
      case 'f':
      case 'F':
        d = 15;
        break;
      default:
        return false;
      }
    if (d >= base)
      return false;
    if (__builtin_mul_overflow(v, (u64)base, &v) ||
        __builtin_add_overflow(v, (u64)d, &v))
      return false;
  }
  static const u64 most[] = {
      0, 127, 32767, 0, 2147483647, 0, 0, 0, 9223372036854775807ull};
  if (v > most[kind] + negative)
    return false;
  *value = negative ? -(i64)v : (i64)v;
  return true;
}
KEPT static int store(void *to, int kind, i64 value) {
  switch (kind) {
  case 1:
    *(signed char *)to = value;
    return 1;
  case 2:
    *(short *)to = value;
    return 2;
  case 4:
    *(int *)to = value;
    return 4;
  case 8:
    *(i64 *)to = value;
    return 8;
  }
  return 0;
}
KEPT static int item(Statement *s, void *to, int kind, int base) {
  Text text;
  i64 value = 0;
  switch (next(s, &text)) {
  case Failed:
    return s->status = 5001;
  case Nothing:
    return 0;
  case Value:
    break;
  }
  if (!readInteger(text, kind, &value, base))
    return s->status = 1001;
  return store(to, kind, value) == kind ? 0 : (s->status = 1002);
}
__host__ __device__ __forceinline__ int run(const char *record, int length,
                                            i64 *out) {
  Statement s;
  memset(&s, 0, sizeof s);
  s.record = record;
  s.length = length;
  int n = 0;
  for (int i = 0; i < 8; ++i) {
    int v = -99;
    signed char b = -99;
    short h = -99;
    i64 l = -99;
    int st;
    switch (i & 3) {
    case 0:
      st = item(&s, &v, 4, 10);
      out[n++] = v;
      break;
    case 1:
      st = item(&s, &b, 1, 10);
      out[n++] = b;
      break;
    case 2:
      st = item(&s, &h, 2, 16);
      out[n++] = h;
      break;
    default:
      st = item(&s, &l, 8, 10);
      out[n++] = l;
    }
    out[n++] = st;
  }
  return n;
}
__global__ void k(const char *r, const int *off, i64 *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    char line[64];
    int len = off[i + 1] - off[i];
    for (int j = 0; j < 64; ++j)
      line[j] = j < len ? r[off[i] + j] : '#';
    run(line, len, out + 16 * i);
  }
}
__global__ void k2(i64 *out) {
  char line[16];
  memcpy(line, "2*7, 12,'a' 9   ", 16);
  run(line, 16, out);
  memcpy(line, "17,33 -4 x 9 8  ", 16);
  run(line, 16, out + 16);
}

static bool failed(cudaError_t e, const char *what) {
  if (e)
    printf("%s: %s\n", what, cudaGetErrorString(e));
  return e;
}

int main() {
  const char *t[] = {"1 2 3 4 5 6 7 8",
                     "-12,127,ff,99999999999 3*7 /",
                     "  12 128",
                     "2*3,,4,'abc'",
                     "+5 -128 7fFf -9223372036854775808 1 1 1 1",
                     "x",
                     "",
                     "1;2",
                     "12345678901234567890",
                     "2147483648"};
  const int N = 1000;
  static char rec[N * 64];
  static int off[N + 1];
  int p = 0;
  for (int i = 0; i < N; ++i) {
    off[i] = p;
    const char *s = t[i % 10];
    strcpy(rec + p, s);
    p += strlen(s);
  }
  off[N] = p;
  static i64 want[16 * N], got[16 * N];
  for (int i = 0; i < N; ++i)
    run(rec + off[i], off[i + 1] - off[i], want + 16 * i);
  char *dr;
  int *dof;
  i64 *dout;
  if (failed(cudaMalloc(&dr, sizeof rec), "records") ||
      failed(cudaMalloc(&dof, sizeof off), "offsets") ||
      failed(cudaMalloc(&dout, sizeof got), "results"))
    return 1;
  cudaMemcpy(dr, rec, sizeof rec, cudaMemcpyHostToDevice);
  cudaMemcpy(dof, off, sizeof off, cudaMemcpyHostToDevice);
  k<<<(N + 127) / 128, 128>>>(dr, dof, dout, N);
  cudaMemcpy(got, dout, sizeof got, cudaMemcpyDeviceToHost);
  int bad = 0;
  run("2*7, 12,'a' 9   ", 16, want + 16 * (N - 2));
  run("17,33 -4 x 9 8  ", 16, want + 16 * (N - 1));
  k2<<<1, 1>>>(dout);
  cudaMemcpy(got + 16 * (N - 2), dout, 32 * 8, cudaMemcpyDeviceToHost);
  if (failed(cudaGetLastError(), "kernels"))
    return 1;
  for (int i = 0; i < 16 * N; ++i)
    if (want[i] != got[i] && bad++ < 10)
      printf("%d: want %lld got %lld\n", i, want[i], got[i]);
  puts(bad ? "FAILED" : "PASSED");
}
