// DEVICES: cpu
// A process that ends while another one waits for it: NVIDIA's library waits for
// ever on a GPU.
#include <cstdio>
#include <nccl.h>
#include <sys/wait.h>
#include <unistd.h>

static int run(int rank, int from, int to) {
  ncclUniqueId id;
  if (rank == 0) {
    if (ncclGetUniqueId(&id) || write(to, &id, sizeof(id)) != sizeof(id))
      return 2;
  } else if (read(from, &id, sizeof(id)) != sizeof(id)) {
    return 3;
  }
  ncclComm_t comm;
  float *a;
  ncclResult_t state;
  if (ncclCommInitRank(&comm, 2, id, rank) || cudaMalloc(&a, 4000))
    return 4;
  // What it has sent before it ends arrives.
  if (rank == 1)
    return ncclSend(a, 1000, ncclFloat, 0, comm, 0) || cudaDeviceSynchronize();
  if (ncclRecv(a, 1000, ncclFloat, 1, comm, 0) || cudaDeviceSynchronize() ||
      ncclCommGetAsyncError(comm, &state) || state != ncclSuccess)
    return 5;
  if (ncclAllReduce(a, a, 1000, ncclFloat, ncclSum, comm, 0) || cudaDeviceSynchronize() ||
      ncclCommGetAsyncError(comm, &state) || state != ncclRemoteError)
    return 6;
  return ncclCommAbort(comm) != ncclSuccess;
}

int main() {
  int pipes[2], failed = 0;
  if (pipe(pipes))
    return 1;
  pid_t children[2];
  for (int rank = 0; rank < 2; ++rank)
    if ((children[rank] = fork()) == 0)
      _exit(run(rank, pipes[0], pipes[1]));
  for (int rank = 0; rank < 2; ++rank) {
    int status;
    waitpid(children[rank], &status, 0);
    if (status)
      std::printf("rank %d: %d\n", rank, WEXITSTATUS(status)), ++failed;
  }
  std::puts(failed ? "FAILED" : "PASSED");
  return failed;
}
