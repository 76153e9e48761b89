/* cufort ipc-pools.c -o x && ./x   (prints PASSED; two processes, one GPU) */
/* A process uses what another one has allocated from a pool. */
#include <cuda_runtime_api.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

enum { Pieces = 3 };
/* Also one that is smaller than a page, and a large one. */
static const size_t Bytes[Pieces] = {400, 100000, 6 << 20};

static void check(cudaError_t error, int line) {
  if (error != cudaSuccess) {
    printf("line %d: %s\n", line, cudaGetErrorName(error));
    exit(1);
  }
}
#define CHECK(call) check(call, __LINE__)
#define EXPECT(condition)                                                      \
  if (!(condition)) {                                                          \
    printf("line %d: not so: %s\n", __LINE__, #condition);                     \
    exit(1);                                                                   \
  }

/* What goes from one process to the other: a file and where the pieces lie. */
struct packet {
  struct iovec content;
  struct msghdr message;
  union {
    char room[CMSG_SPACE(sizeof(int))];
    struct cmsghdr header;
  } control;
};

static void prepare(struct packet *p, struct cudaMemPoolPtrExportData *data) {
  memset(p, 0, sizeof *p);
  p->content.iov_base = data;
  p->content.iov_len = Pieces * sizeof *data;
  p->message.msg_iov = &p->content;
  p->message.msg_iovlen = 1;
  p->message.msg_control = &p->control;
  p->message.msg_controllen = sizeof p->control;
}

static void sendAll(int to, int file, struct cudaMemPoolPtrExportData *data) {
  struct packet p;
  prepare(&p, data);
  p.control.header.cmsg_level = SOL_SOCKET;
  p.control.header.cmsg_type = SCM_RIGHTS;
  p.control.header.cmsg_len = CMSG_LEN(sizeof file);
  memcpy(CMSG_DATA(&p.control.header), &file, sizeof file);
  EXPECT(sendmsg(to, &p.message, 0) == (ssize_t)p.content.iov_len);
}

static int receiveAll(int from, struct cudaMemPoolPtrExportData *data) {
  struct packet p;
  int file;
  prepare(&p, data);
  EXPECT(recvmsg(from, &p.message, MSG_WAITALL) == (ssize_t)p.content.iov_len);
  memcpy(&file, CMSG_DATA(&p.control.header), sizeof file);
  return file;
}

/* Finds what the parent has written, and writes its own. */
static int child(int line) {
  struct cudaMemPoolPtrExportData data[Pieces];
  cudaMemPool_t pool;
  cudaStream_t stream;
  char *host = malloc(Bytes[Pieces - 1]);
  void *memory[Pieces], *none;
  int i, file = receiveAll(line, data);
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaMemPoolImportFromShareableHandle(
      &pool, (void *)(uintptr_t)file, cudaMemHandleTypePosixFileDescriptor, 0));
  close(file);
  EXPECT(cudaMallocFromPoolAsync(&none, 100, pool, stream) != cudaSuccess);
  cudaGetLastError();
  for (i = 0; i < Pieces; ++i) {
    CHECK(cudaMemPoolImportPointer(&memory[i], pool, &data[i]));
    CHECK(cudaMemcpy(host, memory[i], Bytes[i], cudaMemcpyDeviceToHost));
    EXPECT(host[0] == 1 + i && host[Bytes[i] - 1] == 1 + i);
    CHECK(cudaMemsetAsync(memory[i], 50 + i, Bytes[i], stream));
    if (i % 2)
      CHECK(cudaFreeAsync(memory[i], stream));
  }
  CHECK(cudaStreamSynchronize(stream));
  for (i = 0; i < Pieces; i += 2)
    CHECK(cudaFree(memory[i]));
  CHECK(cudaMemPoolDestroy(pool));
  CHECK(cudaDeviceSynchronize());
  return 0;
}

int main(void) {
  struct cudaMemPoolPtrExportData data[Pieces];
  struct cudaMemPoolProps properties;
  cudaMemPool_t pool;
  cudaStream_t stream;
  char *host = malloc(Bytes[Pieces - 1]);
  void *memory[Pieces];
  int line[2], i, file = -1, status = 0;
  pid_t other;
  EXPECT(socketpair(AF_UNIX, SOCK_STREAM, 0, line) == 0);
  other = fork(); /* before either uses a device */
  if (other == 0) {
    close(line[0]);
    exit(child(line[1]));
  }
  close(line[1]);
  memset(&properties, 0, sizeof properties);
  properties.allocType = cudaMemAllocationTypePinned;
  properties.handleTypes = cudaMemHandleTypePosixFileDescriptor;
  properties.location.type = cudaMemLocationTypeDevice;
  CHECK(cudaMemPoolCreate(&pool, &properties));
  CHECK(cudaStreamCreate(&stream));
  for (i = 0; i < Pieces; ++i) {
    CHECK(cudaMallocFromPoolAsync(&memory[i], Bytes[i], pool, stream));
    CHECK(cudaMemsetAsync(memory[i], 1 + i, Bytes[i], stream));
  }
  CHECK(cudaStreamSynchronize(stream));
  CHECK(cudaMemPoolExportToShareableHandle(
      &file, pool, cudaMemHandleTypePosixFileDescriptor, 0));
  for (i = 0; i < Pieces; ++i)
    CHECK(cudaMemPoolExportPointer(&data[i], memory[i]));
  sendAll(line[0], file, data);
  close(file);
  EXPECT(waitpid(other, &status, 0) == other && WIFEXITED(status) &&
         WEXITSTATUS(status) == 0);
  for (i = 0; i < Pieces; ++i) {
    CHECK(cudaMemcpy(host, memory[i], Bytes[i], cudaMemcpyDeviceToHost));
    EXPECT(host[0] == 50 + i && host[Bytes[i] - 1] == 50 + i);
    CHECK(cudaFreeAsync(memory[i], stream));
  }
  CHECK(cudaStreamSynchronize(stream));
  CHECK(cudaMemPoolDestroy(pool));
  puts("PASSED");
  return 0;
}
