// Device buffers through mpi.h, in CUDA C++.
// STAGED
#include <cuda_runtime.h>
#include <mpi.h>
#include <cstdio>
#include <vector>

static void check(bool holds, const char *what) {
  if (holds)
    return;
  std::printf("FAILED: %s\n", what);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int n = 1000, next = (rank + 1) % size, previous = (rank + size - 1) % size;
  std::vector<double> host(n), back(n);
  for (int i = 0; i < n; ++i)
    host[i] = 1000 * rank + i;
  double *a, *b;
  cudaMalloc(&a, n * sizeof(double));
  cudaMalloc(&b, n * sizeof(double));
  cudaMemcpy(a, host.data(), n * sizeof(double), cudaMemcpyHostToDevice);
  const auto bringBack = [&] {
    cudaMemcpy(back.data(), b, n * sizeof(double), cudaMemcpyDeviceToHost);
  };

  MPI_Sendrecv(a, n, MPI_DOUBLE, next, 1, b, n, MPI_DOUBLE, previous, 1,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  bringBack();
  check(back[7] == 1000 * previous + 7, "MPI_Sendrecv");

  cudaMemset(b, 0, n * sizeof(double));
  MPI_Request requests[2];
  MPI_Irecv(b, n, MPI_DOUBLE, previous, 2, MPI_COMM_WORLD, &requests[0]);
  MPI_Isend(a, n, MPI_DOUBLE, next, 2, MPI_COMM_WORLD, &requests[1]);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  bringBack();
  check(back[n - 1] == 1000 * previous + n - 1, "MPI_Waitall");

  MPI_Allreduce(a, b, n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  bringBack();
  check(back[3] == 500.0 * size * (size - 1) + 3 * size, "MPI_Allreduce");
  MPI_Allreduce(MPI_IN_PLACE, b, n, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  bringBack();
  check(back[3] == 500.0 * size * (size - 1) + 3 * size, "in place");

  // Every second number: the others stay.
  MPI_Datatype even;
  MPI_Type_vector(n / 2, 1, 2, MPI_DOUBLE, &even);
  MPI_Type_commit(&even);
  cudaMemset(b, 0, n * sizeof(double));
  MPI_Request request;
  MPI_Recv_init(b, 1, even, previous, 3, MPI_COMM_WORLD, &request);
  MPI_Start(&request);
  MPI_Send(a, n / 2, MPI_DOUBLE, next, 3, MPI_COMM_WORLD);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  bringBack();
  check(back[8] == 1000 * previous + 4 && back[9] == 0, "types with gaps");
  MPI_Request_free(&request);
  MPI_Type_free(&even);

  MPI_Bcast(a, n, MPI_DOUBLE, size - 1, MPI_COMM_WORLD);
  cudaMemcpy(host.data(), a, n * sizeof(double), cudaMemcpyDeviceToHost);
  check(host[5] == 1000 * (size - 1) + 5, "MPI_Bcast");
  cudaFree(a);
  cudaFree(b);
  if (rank == 0)
    std::puts("PASSED");
  MPI_Finalize();
}
