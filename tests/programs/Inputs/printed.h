// What comes to the standard output from now on, to be asked for at any time.
// Meanwhile the program must not write there itself.
#ifndef CUFORT_TESTS_PROGRAMS_PRINTED_H
#define CUFORT_TESTS_PROGRAMS_PRINTED_H

#include "check.h"
#include <string>
#include <unistd.h>

class Printed {
public:
  Printed() {
    std::fflush(stdout);
    file = std::tmpfile();
    own = dup(1);
    dup2(fileno(file), 1);
  }
  ~Printed() {
    std::fflush(stdout);
    dup2(own, 1);
    close(own);
    std::fclose(file);
  }
  std::string text() const {
    std::fflush(stdout);
    std::string all;
    char bytes[4096];
    for (ssize_t count; (count = pread(fileno(file), bytes, sizeof(bytes),
                                       off_t(all.size()))) > 0;)
      all.append(bytes, size_t(count));
    return all;
  }

private:
  std::FILE *file;
  int own;
};

/// Until the work of \p stream has ended, without waiting for it: that would
/// print.
inline void letEnd(cudaStream_t stream) {
  cudaError_t answer;
  while ((answer = cudaStreamQuery(stream)) == cudaErrorNotReady)
    usleep(1000);
  CHECK(answer);
}

#endif // CUFORT_TESTS_PROGRAMS_PRINTED_H
