/* Calls function(1), ..., function(count), each on a thread of its own. */
#include <pthread.h>

struct call {
  void (*function)(int);
  int number;
};

static void *run(void *argument) {
  struct call *call = argument;
  call->function(call->number);
  return 0;
}

int run_threads(int count, void (*function)(int)) {
  pthread_t threads[16];
  struct call calls[16];
  if (count > 16)
    return 1;
  for (int i = 0; i < count; ++i) {
    calls[i].function = function;
    calls[i].number = i + 1;
    if (pthread_create(&threads[i], 0, run, &calls[i]))
      return 1;
  }
  for (int i = 0; i < count; ++i)
    pthread_join(threads[i], 0);
  return 0;
}
