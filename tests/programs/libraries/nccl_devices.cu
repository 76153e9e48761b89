// ENV: CUFORT_CPU_DEVICES=4
// NCCL over the devices of one process: every collective and operation, in
// place and not, groups, messages in several streams, splits, graphs, statuses.
#include <cstdio>
#include <cstring>
#include <cuda_bf16.h>
#include <functional>
#include <nccl.h>
#include <thread>
#include <vector>

static int failures = 0;
static void expect(bool right, const char *what, int line) {
  if (!right && ++failures <= 20)
    std::printf("wrong (%d): %s\n", line, what);
}
#define EXPECT(condition) expect(condition, #condition, __LINE__)
#define OK(call) expect((call) == 0, #call, __LINE__)

static const int Most = 8;
static int n;
static ncclComm_t comms[Most];
static cudaStream_t streams[Most];

// A buffer on each device.
template <typename T> struct Buffers {
  size_t count;
  T *d[Most];
  explicit Buffers(size_t count) : count(count) {
    for (int r = 0; r < n; ++r) {
      cudaSetDevice(r);
      OK(ncclMemAlloc((void **)&d[r], count * sizeof(T)));
    }
  }
  ~Buffers() {
    for (int r = 0; r < n; ++r) {
      cudaSetDevice(r);
      OK(ncclMemFree(d[r]));
    }
  }
  template <typename F> void set(F value) { // value(rank, i)
    std::vector<T> h(count);
    for (int r = 0; r < n; ++r) {
      for (size_t i = 0; i < count; ++i)
        h[i] = T(value(r, i));
      OK(cudaMemcpyAsync(d[r], h.data(), count * sizeof(T), cudaMemcpyHostToDevice, streams[r]));
      OK(cudaStreamSynchronize(streams[r]));
    }
  }
  std::vector<T> get(int r) {
    std::vector<T> h(count);
    cudaSetDevice(r);
    OK(cudaStreamSynchronize(streams[r]));
    OK(cudaMemcpy(h.data(), d[r], count * sizeof(T), cudaMemcpyDeviceToHost));
    return h;
  }
};
static void all(std::function<int(int)> call) {
  OK(ncclGroupStart());
  for (int r = 0; r < n; ++r)
    OK(call(r));
  OK(ncclGroupEnd());
}

static double value(int r, size_t i) { return double((r + 1) + int(i % 5)); }
template <typename T>
static void reductions(ncclDataType_t type, size_t count, const char *what) {
  Buffers<T> a(count), b(count);
  for (ncclRedOp_t op : {ncclSum, ncclProd, ncclMax, ncclMin, ncclAvg}) {
    a.set(value);
    for (bool inPlace : {false, true}) {
      all([&](int r) {
        return ncclAllReduce(a.d[r], inPlace ? a.d[r] : b.d[r], count, type, op, comms[r],
                             streams[r]);
      });
      for (int r = 0; r < n; ++r) {
        const auto h = inPlace ? a.get(r) : b.get(r);
        size_t bad = 0;
        for (size_t i = 0; i < count; ++i) {
          double x = value(0, i);
          for (int k = 1; k < n; ++k) {
            const double y = value(k, i);
            x = op == ncclProd ? x * y : op == ncclMax ? std::max(x, y)
                : op == ncclMin ? std::min(x, y) : x + y;
          }
          if (op == ncclAvg)
            x = double(T(x)) / n;
          // Half and narrower types are rounded once or at each step.
          const double got = double(h[i]), right = double(T(x));
          // So are averages, of numbers that are divided before they are added.
          const double near = sizeof(T) <= 2 ? 1.0 / 64 : op == ncclAvg && float(T(0.5f)) != 0 ? 1e-6 : 0;
          bad += std::abs(got - right) > std::abs(right) * near;
        }
        if (bad)
          std::printf("%s, operation %d, in place %d, rank %d: %zu\n", what, int(op), inPlace, r, bad);
        failures += bad != 0;
      }
    }
  }
}

static void collectives(size_t count) {
  Buffers<int> one(count), many(count * n), out(count * n);
  const auto number = [&](int r, size_t i) { return int(r * 1000003 + i); };
  for (int root : {0, n - 1}) {
    one.set(number);
    out.set([](int, size_t) { return -1; });
    all([&](int r) { return ncclBroadcast(one.d[r], out.d[r], count, ncclInt, root, comms[r], streams[r]); });
    for (int r = 0; r < n; ++r)
      EXPECT(out.get(r)[count - 1] == number(root, count - 1) && out.get(r)[0] == number(root, 0));
    all([&](int r) { return ncclReduce(one.d[r], out.d[r], count, ncclInt32, ncclSum, root, comms[r], streams[r]); });
    int sum = 0;
    for (int r = 0; r < n; ++r)
      sum += number(r, count / 2);
    EXPECT(out.get(root)[count / 2] == sum);
    all([&](int r) { return ncclGather(one.d[r], out.d[r], count, ncclInt, root, comms[r], streams[r]); });
    const auto gathered = out.get(root);
    for (int r = 0; r < n; ++r)
      EXPECT(gathered[r * count + count - 1] == number(r, count - 1));
    many.set(number);
    all([&](int r) { return ncclScatter(many.d[r], one.d[r], count, ncclInt, root, comms[r], streams[r]); });
    for (int r = 0; r < n; ++r)
      EXPECT(one.get(r)[count - 1] == number(root, r * count + count - 1));
  }
  one.set(number);
  all([&](int r) { return ncclBcast(one.d[r], count, ncclInt, 0, comms[r], streams[r]); });
  EXPECT(one.get(n - 1)[count - 1] == number(0, count - 1));
  one.set(number);
  all([&](int r) { return ncclAllGather(one.d[r], out.d[r], count, ncclInt, comms[r], streams[r]); });
  for (int r = 0; r < n; ++r)
    for (int k = 0; k < n; ++k)
      EXPECT(out.get(r)[k * count + 1] == number(k, 1));
  // In place: a rank's part lies where it goes.
  out.set(number);
  all([&](int r) { return ncclAllGather(out.d[r] + r * count, out.d[r], count, ncclInt, comms[r], streams[r]); });
  for (int k = 0; k < n; ++k)
    EXPECT(out.get(0)[k * count + 1] == number(k, k * count + 1));
  for (bool inPlace : {false, true}) {
    many.set(number);
    all([&](int r) {
      return ncclReduceScatter(many.d[r], inPlace ? many.d[r] + r * count : out.d[r], count, ncclInt,
                               ncclMax, comms[r], streams[r]);
    });
    for (int r = 0; r < n; ++r)
      EXPECT((inPlace ? many.get(r)[r * count + 2] : out.get(r)[2]) == number(n - 1, r * count + 2));
  }
  many.set(number);
  all([&](int r) { return ncclAlltoAll(many.d[r], out.d[r], count, ncclInt, comms[r], streams[r]); });
  for (int r = 0; r < n; ++r)
    for (int k = 0; k < n; ++k)
      EXPECT(out.get(r)[k * count + 3] == number(k, r * count + 3));
}

static void messages(size_t count) {
  Buffers<double> a(count), b(count);
  a.set([](int r, size_t i) { return r * 1e6 + i; });
  // Around a ring, sends and receives in different streams; to oneself, too.
  cudaStream_t others[Most];
  for (int r = 0; r < n; ++r) {
    cudaSetDevice(r);
    cudaStreamCreate(&others[r]);
  }
  ncclGroupStart();
  for (int r = 0; r < n; ++r) {
    OK(ncclSend(a.d[r], count, ncclDouble, (r + 1) % n, comms[r], streams[r]));
    OK(ncclRecv(b.d[r], count, ncclDouble, (r + n - 1) % n, comms[r], others[r]));
  }
  OK(ncclGroupEnd());
  for (int r = 0; r < n; ++r) {
    cudaSetDevice(r);
    cudaStreamSynchronize(others[r]);
    EXPECT(b.get(r)[count - 1] == (r + n - 1) % n * 1e6 + count - 1);
    cudaStreamDestroy(others[r]);
  }
  // Without a group, by one thread for each device.
  if (n < 2)
    return;
  std::thread sender([&] {
    cudaSetDevice(0);
    OK(ncclSend(a.d[0], count, ncclFloat64, 1, comms[0], streams[0]));
    OK(ncclSend(b.d[0], 1, ncclFloat64, 1, comms[0], streams[0]));
    cudaStreamSynchronize(streams[0]);
  });
  cudaSetDevice(1);
  OK(ncclRecv(b.d[1], count, ncclFloat64, 0, comms[1], streams[1]));
  OK(ncclRecv(a.d[1], 1, ncclFloat64, 0, comms[1], streams[1]));
  cudaStreamSynchronize(streams[1]);
  sender.join();
  EXPECT(b.get(1)[7] == 7 && a.get(1)[0] == (n - 1) * 1e6);
}

static void scaledSums() {
  Buffers<float> a(100), b(100);
  a.set([](int, size_t i) { return float(i); });
  ncclRedOp_t ops[Most];
  float right = 0;
  for (int r = 0; r < n; ++r) {
    float scale = r + 0.5f;
    right += scale;
    OK(ncclRedOpCreatePreMulSum(&ops[r], &scale, ncclFloat, ncclScalarHostImmediate, comms[r]));
  }
  all([&](int r) { return ncclAllReduce(a.d[r], b.d[r], 100, ncclFloat, ops[r], comms[r], streams[r]); });
  for (int r = 0; r < n; ++r) {
    EXPECT(b.get(r)[10] == 10 * right);
    OK(ncclRedOpDestroy(ops[r], comms[r]));
    // A scalar of the device, read when the operation runs.
    OK(ncclRedOpCreatePreMulSum(&ops[r], a.d[r] + 3, ncclFloat, ncclScalarDevice, comms[r]));
  }
  all([&](int r) { return ncclReduce(a.d[r], b.d[r], 100, ncclFloat, ops[r], 0, comms[r], streams[r]); });
  EXPECT(b.get(0)[50] == 150.0f * n);
  for (int r = 0; r < n; ++r)
    OK(ncclRedOpDestroy(ops[r], comms[r]));
}

// Even and odd ranks in a communicator each, in reverse order.
static void splits() {
  ncclComm_t halves[Most], none[Most];
  all([&](int r) { return ncclCommSplit(comms[r], r % 2, -r, &halves[r], nullptr); });
  for (int r = 0; r < n; ++r) {
    int count, rank, device;
    const int size = (n + 1 - r % 2) / 2;
    OK(ncclCommCount(halves[r], &count));
    OK(ncclCommUserRank(halves[r], &rank));
    OK(ncclCommCuDevice(halves[r], &device));
    EXPECT(count == size && rank == size - 1 - r / 2 && device == r);
  }
  Buffers<int> a(10), b(10 * n);
  a.set([](int r, size_t) { return r; });
  all([&](int r) { return ncclAllGather(a.d[r], b.d[r], 10, ncclInt, halves[r], streams[r]); });
  for (int r = 0; r < n; ++r)
    EXPECT(b.get(r)[9] == ((n + 1 - r % 2) / 2 - 1) * 2 + r % 2);
  all([&](int r) { return ncclCommSplit(comms[r], r ? NCCL_SPLIT_NOCOLOR : 3, 0, &none[r], nullptr); });
  for (int r = 0; r < n; ++r) {
    EXPECT((none[r] == nullptr) == (r > 0));
    OK(ncclCommFinalize(halves[r]));
    OK(ncclCommDestroy(halves[r]));
  }
  OK(ncclCommDestroy(none[0]));
}

static __global__ void increment(float *x, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count)
    x[i] += 1;
}

// Kernel and sum in a graph of each device, launched three times.
static void graphs() {
  const int count = 3000;
  Buffers<float> a(count);
  a.set([](int r, size_t) { return float(r); });
  cudaGraph_t graph[Most];
  cudaGraphExec_t exec[Most];
  for (int r = 0; r < n; ++r) {
    cudaSetDevice(r);
    OK(cudaStreamBeginCapture(streams[r], cudaStreamCaptureModeThreadLocal));
    increment<<<(count + 255) / 256, 256, 0, streams[r]>>>(a.d[r], count);
  }
  all([&](int r) { return ncclAllReduce(a.d[r], a.d[r], count, ncclFloat, ncclSum, comms[r], streams[r]); });
  for (int r = 0; r < n; ++r) {
    cudaSetDevice(r);
    OK(cudaStreamEndCapture(streams[r], &graph[r]));
  }
  // No longer within another stream's capture.
  for (int r = 0; r < n; ++r) {
    cudaSetDevice(r);
    OK(cudaGraphInstantiate(&exec[r], graph[r], 0));
  }
  float right[Most], sum = 0;
  for (int r = 0; r < n; ++r)
    right[r] = r;
  for (int time = 0; time < 3; ++time) {
    sum = 0;
    for (int r = 0; r < n; ++r) {
      cudaSetDevice(r);
      OK(cudaGraphLaunch(exec[r], streams[r]));
      sum += right[r] + 1;
    }
    for (int r = 0; r < n; ++r)
      right[r] = sum;
  }
  for (int r = 0; r < n; ++r) {
    EXPECT(a.get(r)[count - 1] == sum);
    cudaGraphExecDestroy(exec[r]);
    cudaGraphDestroy(graph[r]);
  }
}

static void statuses() {
  int x, *nowhere = nullptr;
  float *d;
  cudaSetDevice(0);
  cudaMalloc(&d, 4);
  EXPECT(ncclGetVersion(nullptr) == ncclInvalidArgument);
  OK(ncclGetVersion(&x));
  EXPECT(x >= 20000);
  ncclComm_t c;
  ncclUniqueId id;
  OK(ncclGetUniqueId(&id));
  EXPECT(ncclGetUniqueId(nullptr) == ncclInvalidArgument);
  EXPECT(ncclCommInitRank(&c, 2, id, 2) == ncclInvalidArgument);
  EXPECT(ncclCommInitRank(&c, 0, id, 0) == ncclInvalidArgument);
  EXPECT(ncclCommInitAll(&c, -1, nullptr) == ncclInvalidArgument);
  const int twice[2] = {0, 0};
  ncclComm_t two[2];
  if (n > 1)
    EXPECT(ncclCommInitAll(two, 2, twice) == ncclInvalidUsage);
  EXPECT(ncclCommCount(nullptr, &x) == ncclInvalidArgument);
  EXPECT(ncclCommCount(comms[0], nowhere) == ncclInvalidArgument);
  EXPECT(ncclAllReduce(d, d, 1, ncclFloat, ncclSum, nullptr, 0) == ncclInvalidArgument);
  EXPECT(ncclAllReduce(d, d, 1, ncclNumTypes, ncclSum, comms[0], 0) == ncclInvalidArgument);
  EXPECT(ncclAllReduce(d, d, 1, ncclFloat, ncclRedOp_t(77), comms[0], 0) == ncclInvalidArgument);
  EXPECT(ncclBroadcast(d, d, 1, ncclFloat, n, comms[0], 0) == ncclInvalidArgument);
  EXPECT(ncclSend(d, 1, ncclFloat, -1, comms[0], 0) == ncclInvalidArgument);
  EXPECT(ncclGetLastError(comms[0]) != nullptr);
  EXPECT(ncclGroupEnd() == ncclInvalidUsage);
  // What is wrong in a group is the group's as well.
  ncclGroupStart();
  EXPECT(ncclBroadcast(d, d, 1, ncclFloat, n, comms[0], 0) == ncclInvalidArgument);
  EXPECT(ncclGroupEnd() == ncclInvalidArgument);
  EXPECT(ncclRedOpDestroy(ncclSum, comms[0]) == ncclInvalidArgument);
  OK(ncclCommDestroy(nullptr));
  OK(ncclCommAbort(nullptr));
  ncclResult_t state;
  OK(ncclCommGetAsyncError(comms[0], &state));
  EXPECT(state == ncclSuccess);
  EXPECT(std::strcmp(ncclGetErrorString(ncclSuccess), ncclGetErrorString(ncclInvalidUsage)) != 0);
  void *handle;
  OK(ncclCommRegister(comms[0], d, 4, &handle));
  OK(ncclCommDeregister(comms[0], handle));
  cudaFree(d);
}

int main() {
  cudaGetDeviceCount(&n);
  n = std::min(n, Most);
  for (int r = 0; r < n; ++r) {
    cudaSetDevice(r);
    cudaStreamCreateWithFlags(&streams[r], cudaStreamNonBlocking);
  }
  OK(ncclCommInitAll(comms, n, nullptr));
  for (int r = 0; r < n; ++r) {
    int count, rank, device;
    OK(ncclCommCount(comms[r], &count));
    OK(ncclCommUserRank(comms[r], &rank));
    OK(ncclCommCuDevice(comms[r], &device));
    EXPECT(count == n && rank == r && device == r);
  }
  reductions<signed char>(ncclInt8, 1001, "int8");
  reductions<unsigned char>(ncclUint8, 1001, "uint8");
  reductions<int>(ncclInt32, 100003, "int32");
  reductions<unsigned>(ncclUint32, 5, "uint32");
  reductions<long long>(ncclInt64, 1001, "int64");
  reductions<unsigned long long>(ncclUint64, 1001, "uint64");
  reductions<float>(ncclFloat, 150007, "float");
  reductions<double>(ncclDouble, 1, "double");
  reductions<__half>(ncclHalf, 1001, "half");
  reductions<__nv_bfloat16>(ncclBfloat16, 1001, "bfloat16");
  collectives(1000);
  collectives(300000);
  messages(1000);
  messages(700000);
  scaledSums();
  splits();
  graphs();
  statuses();
  for (int r = 0; r < n; ++r)
    OK(ncclCommDestroy(comms[r]));
  // The ranks of one thread by an id.
  ncclUniqueId id;
  OK(ncclGetUniqueId(&id));
  ncclGroupStart();
  for (int r = 0; r < n; ++r) {
    cudaSetDevice(r);
    OK(ncclCommInitRank(&comms[r], n, id, r));
  }
  OK(ncclGroupEnd());
  collectives(777);
  // Who waits for others that do not come is let go.
  float *lonely;
  cudaSetDevice(0);
  cudaMalloc(&lonely, 4000);
  OK(ncclAllReduce(lonely, lonely, 1000, ncclFloat, ncclSum, comms[0], streams[0]));
  all([&](int r) { return ncclCommAbort(comms[r]); });
  cudaSetDevice(0);
  OK(cudaStreamSynchronize(streams[0]));
  std::puts(failures ? "FAILED" : "PASSED");
  return failures != 0;
}
