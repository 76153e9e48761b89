// Finite-state machines, one for each thread, whose tables are private arrays
// that are cleared or copied as a whole before a barrier and read behind it, at
// indices that are known at run time only.
#include "../../Inputs/check.h"
#include <vector>

constexpr int States = 8, Threads = 96, Blocks = 3;

// The declaration of the table is the first that the kernel does.
__global__ void cleared(const int *rules, int rulesOfEach, const int *word,
                        int length, int *ends) {
  int next[States] = {};
  __shared__ int letters[Threads];
  int thread = blockIdx.x * blockDim.x + threadIdx.x;
  for (int i = 0; i < rulesOfEach; ++i) {
    int rule = rules[thread * rulesOfEach + i];
    next[rule / States] = rule % States;
  }
  int state = 1;
  for (int begin = 0; begin < length; begin += blockDim.x) {
    __syncthreads();
    if (begin + threadIdx.x < length)
      letters[threadIdx.x] = word[begin + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < blockDim.x && begin + i < length; ++i)
      state = next[(state + letters[i]) % States];
  }
  ends[thread] = state;
}

// Two tables, of which one begins with what is the same for all.
__global__ void copied(const int *letters, int *ends) {
  short next[States] = {3, 1, 4, 1, 5, 7, 2, 6};
  long long seen[States] = {};
  __shared__ int shared[Threads];
  int thread = blockIdx.x * blockDim.x + threadIdx.x;
  shared[threadIdx.x] = letters[thread];
  next[letters[thread] % States] = threadIdx.x % States;
  __syncthreads();
  int state = 0;
  for (int i = 0; i < blockDim.x; ++i) {
    state = next[(state + shared[i]) % States];
    ++seen[state];
  }
  __syncthreads();
  ends[thread] = state + 10 * seen[shared[(threadIdx.x + 1) % blockDim.x]];
}

// One machine for all threads of a warp: each of them does one state's rule.
__global__ void exchanged(const int *letters, int *ends) {
  int next[States] = {};
  int thread = blockIdx.x * blockDim.x + threadIdx.x;
  next[letters[thread]] = threadIdx.x % States + 1;
  int state = letters[thread];
  for (int i = 0; i < 5; ++i)
    state = __shfl_xor_sync(~0u, next[state % States], 1 << i) % States;
  ends[thread] = state;
}

struct Ints {
  int *at;
  explicit Ints(const std::vector<int> &host) {
    CHECK(cudaMalloc(&at, host.size() * sizeof(int)));
    CHECK(cudaMemcpy(at, host.data(), host.size() * sizeof(int),
                     cudaMemcpyHostToDevice));
  }
  ~Ints() { cudaFree(at); }
  std::vector<int> read(size_t count) const {
    std::vector<int> host(count);
    CHECK(cudaMemcpy(host.data(), at, count * sizeof(int),
                     cudaMemcpyDeviceToHost));
    return host;
  }
};

static void testCleared(int rulesOfEach, int length) {
  std::vector<int> rules(Blocks * Threads * rulesOfEach), word(length),
      expected;
  for (size_t i = 0; i < rules.size(); ++i)
    rules[i] = i * 37 % 61 + i % 3;
  for (int i = 0; i < length; ++i)
    word[i] = i * i % 11;
  for (int thread = 0; thread < Blocks * Threads; ++thread) {
    int next[States] = {}, state = 1;
    for (int i = 0; i < rulesOfEach; ++i) {
      int rule = rules[thread * rulesOfEach + i];
      next[rule / States] = rule % States;
    }
    for (int letter : word)
      state = next[(state + letter) % States];
    expected.push_back(state);
  }
  Ints from(rules), by(word), to(std::vector<int>(expected.size(), -1));
  cleared<<<Blocks, Threads>>>(from.at, rulesOfEach, by.at, length, to.at);
  EXPECT(to.read(expected.size()) == expected);
}

static void testCopied() {
  std::vector<int> letters(Blocks * Threads), expected;
  for (size_t i = 0; i < letters.size(); ++i)
    letters[i] = i * 29 % 13 % States;
  for (int thread = 0; thread < Blocks * Threads; ++thread) {
    int next[States] = {3, 1, 4, 1, 5, 7, 2, 6}, seen[States] = {}, state = 0;
    const int *own = &letters[thread / Threads * Threads];
    next[letters[thread]] = thread % Threads % States;
    for (int i = 0; i < Threads; ++i)
      ++seen[state = next[(state + own[i]) % States]];
    expected.push_back(state + 10 * seen[own[(thread + 1) % Threads]]);
  }
  Ints from(letters), to(std::vector<int>(expected.size(), -1));
  copied<<<Blocks, Threads>>>(from.at, to.at);
  EXPECT(to.read(expected.size()) == expected);
}

static void testExchanged() {
  std::vector<int> letters(Blocks * Threads);
  for (size_t i = 0; i < letters.size(); ++i)
    letters[i] = i * 31 % 17 % States;
  std::vector<int> states = letters;
  for (int i = 0; i < 5; ++i) {
    std::vector<int> own(states.size());
    for (size_t thread = 0; thread < own.size(); ++thread)
      own[thread] = states[thread] == letters[thread]
                        ? int(thread % Threads % States + 1)
                        : 0;
    for (size_t thread = 0; thread < own.size(); ++thread)
      states[thread] = own[thread ^ (1 << i)] % States;
  }
  Ints from(letters), to(std::vector<int>(letters.size(), -1));
  exchanged<<<Blocks, Threads>>>(from.at, to.at);
  EXPECT(to.read(letters.size()) == states);
}

int main() {
  for (int rulesOfEach : {1, 5, 20})
    for (int length : {1, 95, 96, 500})
      testCleared(rulesOfEach, length);
  testCopied();
  testExchanged();
  CHECK(cudaGetLastError());
  printf("PASSED\n");
}
