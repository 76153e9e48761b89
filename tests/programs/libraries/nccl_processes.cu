// GPUS: 2
// NCCL between processes, of which each has a device of its own; the id goes
// through a pipe. The CPU's are one device each.
#include <cstdio>
#include <nccl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

static int failures = 0;
static void expect(bool right, const char *what, int rank, int line) {
  if (!right && ++failures <= 10)
    std::printf("wrong (%d), rank %d: %s\n", line, rank, what);
}
#define EXPECT(condition) expect(condition, #condition, rank, __LINE__)
#define OK(call) expect((call) == 0, #call, rank, __LINE__)

static const int n = 2;

static void exchange(ncclComm_t comm, int rank, size_t count) {
  cudaStream_t stream;
  OK(cudaStreamCreate(&stream));
  double *a, *b;
  OK(cudaMalloc(&a, count * sizeof(double)));
  OK(cudaMalloc(&b, n * count * sizeof(double)));
  std::vector<double> h(count), g(n * count);
  for (size_t i = 0; i < count; ++i)
    h[i] = (rank + 1) * double(i);
  OK(cudaMemcpy(a, h.data(), count * sizeof(double), cudaMemcpyHostToDevice));
  const auto get = [&](double *from, size_t many) {
    OK(cudaMemcpyAsync(g.data(), from, many * sizeof(double), cudaMemcpyDeviceToHost, stream));
    OK(cudaStreamSynchronize(stream));
  };
  OK(ncclAllReduce(a, b, count, ncclDouble, ncclSum, comm, stream));
  get(b, count);
  size_t bad = 0;
  for (size_t i = 0; i < count; ++i)
    bad += g[i] != i * double(n * (n + 1) / 2);
  EXPECT(bad == 0);
  OK(ncclAllGather(a, b, count, ncclDouble, comm, stream));
  get(b, n * count);
  for (int k = 0; k < n; ++k)
    EXPECT(g[k * count + count - 1] == (k + 1) * double(count - 1));
  OK(ncclGroupStart());
  OK(ncclSend(a, count, ncclDouble, (rank + 1) % n, comm, stream));
  OK(ncclRecv(b, count, ncclDouble, (rank + n - 1) % n, comm, stream));
  OK(ncclGroupEnd());
  get(b, count);
  EXPECT(g[count - 1] == ((rank + n - 1) % n + 1) * double(count - 1));
  OK(ncclBcast(a, count, ncclDouble, 1, comm, stream));
  get(a, count);
  EXPECT(g[count - 1] == 2 * double(count - 1));
  OK(ncclReduceScatter(b, b, count / n, ncclDouble, ncclMax, comm, stream));
  get(b, count / n);
  EXPECT(g[1] == n * double(rank * (count / n) + 1));
  cudaFree(a);
  cudaFree(b);
  cudaStreamDestroy(stream);
}

static int run(int rank, int from, int to) {
  int devices;
  OK(cudaGetDeviceCount(&devices));
  OK(cudaSetDevice(rank % devices));
  ncclUniqueId id;
  if (rank == 0) {
    OK(ncclGetUniqueId(&id));
    for (int k = 1; k < n; ++k)
      EXPECT(write(to, &id, sizeof(id)) == sizeof(id));
  } else {
    EXPECT(read(from, &id, sizeof(id)) == sizeof(id));
  }
  ncclComm_t comm, alone, again;
  OK(ncclCommInitRank(&comm, n, id, rank));
  int count, own;
  OK(ncclCommCount(comm, &count));
  OK(ncclCommUserRank(comm, &own));
  EXPECT(count == n && own == rank);
  exchange(comm, rank, 10);
  exchange(comm, rank, 1000000);
  OK(ncclCommSplit(comm, rank, 0, &alone, nullptr));
  OK(ncclCommCount(alone, &count));
  EXPECT(count == 1);
  OK(ncclCommSplit(comm, 0, rank, &again, nullptr));
  OK(ncclCommDestroy(comm));
  exchange(again, rank, 1000);
  OK(ncclCommDestroy(again));
  OK(ncclCommDestroy(alone));
  return failures != 0;
}

int main() {
  int pipes[2];
  if (pipe(pipes))
    return 1;
  pid_t children[n];
  for (int rank = 0; rank < n; ++rank)
    if ((children[rank] = fork()) == 0) {
      const int status = run(rank, pipes[0], pipes[1]);
      std::fflush(stdout);
      _exit(status);
    }
  int failed = 0;
  for (int rank = 0; rank < n; ++rank) {
    int status;
    waitpid(children[rank], &status, 0);
    failed += status != 0;
  }
  std::puts(failed ? "FAILED" : "PASSED");
  return failed;
}
