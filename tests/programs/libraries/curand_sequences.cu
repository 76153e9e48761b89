// cuRAND's host interface: first numbers and checksums of long runs as NVIDIA's
// library gives them, offsets and continuation, statuses, streams and graphs,
// host generators; normal numbers within a tolerance.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <curand.h>
#include <curand_kernel.h>
#include <functional>
#include <random>
#include <string>
#include <vector>

static int failures = 0;
static void expect(bool right, const char *what, long number = 0) {
  if (!right && ++failures <= 20)
    std::printf("wrong: %s %ld\n", what, number);
}
static void status(int got, int wanted, const char *what) {
  if (got != wanted && ++failures <= 20)
    std::printf("wrong: %s is %d, not %d\n", what, got, wanted);
}

template <typename T> struct Device {
  T *data;
  size_t count;
  explicit Device(size_t count) : count(count) {
    cudaMalloc(&data, count * sizeof(T));
  }
  ~Device() { cudaFree(data); }
  std::vector<T> host() const {
    std::vector<T> result(count);
    cudaMemcpy(result.data(), data, count * sizeof(T), cudaMemcpyDeviceToHost);
    return result;
  }
};

// FNV-1a over the bytes.
template <typename T> static unsigned long long sum(const std::vector<T> &x) {
  unsigned long long hash = 14695981039346656037ull;
  for (T value : x) {
    const unsigned char *bytes = (const unsigned char *)&value;
    for (size_t i = 0; i < sizeof(T); ++i)
      hash = (hash ^ bytes[i]) * 1099511628211ull;
  }
  return hash;
}

static curandGenerator_t make(curandRngType type, unsigned long long seed) {
  curandGenerator_t generator = nullptr;
  status(curandCreateGenerator(&generator, type), 0, "create");
  status(curandSetPseudoRandomGeneratorSeed(generator, seed), 0, "seed");
  return generator;
}

struct Recorded {
  curandRngType type;
  curandOrdering ordering;
  unsigned first[3];
  // Of words 1 to 200003, floats and doubles of 50000 each, Poisson numbers of
  // means 4.5 and 300, one call after the other.
  unsigned long long words, floats, doubles, poisson, more;
};
static const Recorded All[] = {
    {CURAND_RNG_PSEUDO_XORWOW,
     CURAND_ORDERING_PSEUDO_DEFAULT,
     {624778773u, 3522650202u, 2363946744u},
     0x329b7be849c31808,
     0xabeafd81104d3f7f,
     0xc3e7a4901e78eed4,
     0x56356a29b33db810,
     0x08f36b6ce3479963},
    {CURAND_RNG_PSEUDO_XORWOW,
     CURAND_ORDERING_PSEUDO_SEEDED,
     {624778773u, 2069044768u, 1651068445u},
     0x6667d9299b407ebb,
     0xfb6f31442ed393c2,
     0x2392f8ec7fd5a565,
     0x624d31ff2e49cef6,
     0xe673089777d2ee6b},
    {CURAND_RNG_PSEUDO_MRG32K3A,
     CURAND_ORDERING_PSEUDO_DEFAULT,
     {3379073520u, 653317650u, 4012281984u},
     0x4d135c8b85034543,
     0x670461efb0641b6a,
     0xd5f317675b49df6d,
     0xb8dabae727b4ba98,
     0x118385619c4f432d},
    {CURAND_RNG_PSEUDO_MRG32K3A,
     CURAND_ORDERING_PSEUDO_LEGACY,
     {3379073520u, 653317650u, 4012281984u},
     0x9585e2a9f7960364,
     0x1e04f1ffd4c23c92,
     0xbaa0d1397ef36c86,
     0x14120709f292f832,
     0xc70b92f6097cd353},
    {CURAND_RNG_PSEUDO_PHILOX4_32_10,
     CURAND_ORDERING_PSEUDO_DEFAULT,
     {546353992u, 3665621163u, 1140953199u},
     0xf966d8cdeb9bcda0,
     0xf7d4658d7505d07d,
     0xd05ce4fc7d7ed46a,
     0x276049ea2fcdc164,
     0x5d2b5221c00cade4},
    {CURAND_RNG_PSEUDO_MT19937,
     CURAND_ORDERING_PSEUDO_DEFAULT,
     {822569775u, 292421642u, 643530888u},
     0x89c43620c6fbc9eb,
     0x439d96664a04635a,
     0x85260fbe239ec868,
     0xb397c6d74a96582e,
     0x6edff6529ae6a93c},
    {CURAND_RNG_PSEUDO_MTGP32,
     CURAND_ORDERING_PSEUDO_DEFAULT,
     {2501053709u, 1991185121u, 2644103708u},
     0xc7cc1c2a774ad879,
     0x4e590805e20ec6b7,
     0xc711fd4b8419e236,
     0x2db1336cbfebb07a,
     0xf3a2ee2ab3fba6f6},
    {CURAND_RNG_PSEUDO_MTGP32,
     CURAND_ORDERING_PSEUDO_LEGACY,
     {2501053709u, 1991185121u, 2644103708u},
     0xf818b767e60b894e,
     0xd4414eaafe33d6c9,
     0x371952244e0b911d,
     0x0ac0ad1e730c0d6e,
     0x9163182de4ac4942},
};

static void recorded(const Recorded &r) {
  curandGenerator_t generator = make(r.type, 1234);
  status(curandSetGeneratorOrdering(generator, r.ordering), 0, "ordering");
  Device<unsigned> words(200003);
  Device<float> floats(50000);
  Device<double> doubles(50000);
  status(curandGenerate(generator, words.data, words.count), 0, "words");
  std::vector<unsigned> w = words.host();
  for (int i = 0; i < 3; ++i)
    expect(w[i] == r.first[i], "first word", r.type);
  expect(sum(w) == r.words, "words", r.type);
  status(curandGenerateUniform(generator, floats.data, floats.count), 0,
         "floats");
  expect(sum(floats.host()) == r.floats, "floats", r.type);
  status(curandGenerateUniformDouble(generator, doubles.data, doubles.count), 0,
         "doubles");
  expect(sum(doubles.host()) == r.doubles, "doubles", r.type);
  Device<unsigned> poisson(50000);
  status(curandGeneratePoisson(generator, poisson.data, poisson.count, 4.5), 0,
         "poisson");
  expect(sum(poisson.host()) == r.poisson, "Poisson numbers", r.type);
  status(curandGeneratePoisson(generator, poisson.data, poisson.count, 300.), 0,
         "poisson");
  expect(sum(poisson.host()) == r.more, "Poisson numbers of 300", r.type);
  status(curandDestroyGenerator(generator), 0, "destroy");

  // The same in pieces, and by a host generator.
  curandGenerator_t host = nullptr;
  status(curandCreateGeneratorHost(&host, r.type), 0, "create host");
  status(curandSetPseudoRandomGeneratorSeed(host, 1234), 0, "seed");
  status(curandSetGeneratorOrdering(host, r.ordering), 0, "ordering");
  std::vector<unsigned> pieces(200003);
  size_t at = 0;
  for (size_t piece = 1; at < pieces.size(); piece = piece * 3 + 1) {
    if (piece > pieces.size() - at)
      piece = pieces.size() - at;
    status(curandGenerate(host, pieces.data() + at, piece), 0, "piece");
    at += piece;
  }
  expect(pieces == w, "pieces", r.type);
  if (curandSetGeneratorOffset(host, 70001) == CURAND_STATUS_SUCCESS) {
    status(curandGenerate(host, pieces.data(), 1000), 0, "after offset");
    for (size_t i = 0; i < 1000; ++i)
      expect(pieces[i] == w[70001 + i], "after offset", long(i));
  }
  status(curandDestroyGenerator(host), 0, "destroy");
}

// Quasirandom ones, from number 77 of each dimension on.
struct Quasi {
  int type;
  unsigned dimensions;
  unsigned long long words, floats, doubles, poisson, more;
};
static const Quasi Quasis[] = {
    {201, 1000, 0xf43a54263e97a06d, 0x3aac2a429d4de692, 0x5a353012e014a8e4,
     0xa8086e4303ce6482, 0x2f27649b46c9ffef},
    {202, 200, 0xe9ea8743d4c47910, 0x0445a64ef9cf369a, 0x2526b7f23f717988,
     0xc40a5e1e7a0630b1, 0x1ba1c3747704d123},
    {203, 1000, 0xdf6331fd079eb42d, 0x3aac2a429d4de692, 0x8704db3760cc943e,
     0x6388cd37ef451e6c, 0x2f27649b46c9ffef},
    {204, 200, 0x71b15e25d16e5d54, 0x0445a64ef9cf369a, 0x52cf618861b555bb,
     0xd78a6a611506d8d9, 0x1ba1c3747704d123},
};

static void quasirandom(const Quasi &r) {
  curandGenerator_t generator = nullptr;
  status(curandCreateGenerator(&generator, (curandRngType)r.type), 0, "create");
  status(curandSetQuasiRandomGeneratorDimensions(generator, r.dimensions), 0,
         "dimensions");
  status(curandSetGeneratorOffset(generator, 77), 0, "offset");
  const size_t n = size_t(r.dimensions) * 30;
  Device<float> floats(n);
  Device<double> doubles(n);
  Device<unsigned> words(n);
  Device<unsigned long long> longs(n);
  if (r.type < CURAND_RNG_QUASI_SOBOL64) {
    status(curandGenerate(generator, words.data, n), 0, "words");
    expect(sum(words.host()) == r.words, "words", r.type);
  } else {
    status(curandGenerate(generator, words.data, n), 103, "words");
    status(curandGenerateLongLong(generator, longs.data, n), 0, "long words");
    expect(sum(longs.host()) == r.words, "long words", r.type);
  }
  status(curandGenerateUniform(generator, floats.data, n), 0, "floats");
  expect(sum(floats.host()) == r.floats, "floats", r.type);
  status(curandGenerateUniformDouble(generator, doubles.data, n), 0, "doubles");
  expect(sum(doubles.host()) == r.doubles, "doubles", r.type);
  status(curandGeneratePoisson(generator, words.data, n, 4.5), 0, "poisson");
  expect(sum(words.host()) == r.poisson, "Poisson numbers", r.type);
  status(curandGeneratePoisson(generator, words.data, n, 300.), 0, "poisson");
  expect(sum(words.host()) == r.more, "Poisson numbers of 300", r.type);
  status(curandGenerateUniform(generator, floats.data, n - 1), 105, "points");
  status(curandSetPseudoRandomGeneratorSeed(generator, 1), 103, "seed");
  status(curandSetQuasiRandomGeneratorDimensions(generator, 20001), 104,
         "dimensions");
  status(curandDestroyGenerator(generator), 0, "destroy");
}

// The device functions' sequences are the host interface's, a thread for ten
// numbers of one dimension.
template <class State, class Word>
__global__ void points(const Word (*vectors)[8 * sizeof(Word)], Word *words,
                       double *uniform, double *normal) {
  const int at = blockIdx.x * 640 + threadIdx.x * 10;
  Word own[8 * sizeof(Word)];
  for (int k = 0; k < int(8 * sizeof(Word)); ++k)
    own[k] = vectors[blockIdx.x][k];
  State a, b, c;
  curand_init(own, Word(threadIdx.x * 10), &a);
  curand_init(own, Word(0), &b);
  skipahead(Word(threadIdx.x * 10), &b);
  c = b;
  for (int i = 0; i < 10; ++i) {
    words[at + i] = curand(&a);
    uniform[at + i] = curand_uniform_double(&b);
    normal[at + i] = curand_normal_double(&c);
  }
}

template <class State, class Word>
static void inKernels(curandRngType type,
                      const Word (*vectors)[8 * sizeof(Word)]) {
  const int dimensions = 7, count = dimensions * 640;
  Device<Word> directions(dimensions * 8 * sizeof(Word)), words(count);
  Device<double> uniform(count), normal(count), u(count), z(count);
  cudaMemcpy(directions.data, vectors, directions.count * sizeof(Word),
             cudaMemcpyHostToDevice);
  points<State, Word>
      <<<dimensions, 64>>>((const Word(*)[8 * sizeof(Word)]) directions.data,
                           words.data, uniform.data, normal.data);
  curandGenerator_t generator = nullptr;
  status(curandCreateGenerator(&generator, type), 0, "create");
  status(curandSetQuasiRandomGeneratorDimensions(generator, dimensions), 0,
         "dimensions");
  Device<Word> wanted(count);
  if constexpr (sizeof(Word) == 4)
    status(curandGenerate(generator, wanted.data, count), 0, "words");
  else
    status(curandGenerateLongLong(generator, wanted.data, count), 0, "words");
  expect(words.host() == wanted.host(), "words of kernels", type);
  status(curandSetGeneratorOffset(generator, 0), 0, "offset");
  status(curandGenerateUniformDouble(generator, u.data, count), 0, "doubles");
  expect(uniform.host() == u.host(), "doubles of kernels", type);
  status(curandSetGeneratorOffset(generator, 0), 0, "offset");
  status(curandGenerateNormalDouble(generator, z.data, count, 0, 1), 0,
         "normal");
  const std::vector<double> a = normal.host(), b = z.host();
  for (int i = 0; i < count; ++i)
    expect(std::fabs(a[i] - b[i]) < 1e-9, "normal numbers of kernels", i);
  status(curandDestroyGenerator(generator), 0, "destroy");
}

static void directions() {
  curandDirectionVectors32_t *vectors;
  status(curandGetDirectionVectors32(&vectors,
                                     CURAND_DIRECTION_VECTORS_32_JOEKUO6),
         0, "direction vectors");
  expect(vectors[2][2] == 0x60000000u && vectors[2][7] == 0xc5000000u,
         "direction vectors", 2);
  inKernels<curandStateSobol32_t>(CURAND_RNG_QUASI_SOBOL32, vectors);
  curandDirectionVectors64_t *wide;
  status(
      curandGetDirectionVectors64(&wide, CURAND_DIRECTION_VECTORS_64_JOEKUO6),
      0, "direction vectors");
  inKernels<curandStateSobol64_t>(CURAND_RNG_QUASI_SOBOL64, wide);
  expect(vectors[19999][31] % 2 == 1 && vectors[19999][0] == 0x80000000u,
         "direction vectors", 19999);
}

// Mean, deviation and agreement with the definition's first numbers.
static void normals(curandRngType type, const float *wanted) {
  curandGenerator_t generator = make(type, 7);
  Device<float> x(100000), z(100000);
  Device<double> y(100000);
  status(curandGenerateNormal(generator, x.data, x.count, 2.f, 0.5f), 0,
         "normal");
  status(curandGenerateNormalDouble(generator, y.data, y.count, -1., 3.), 0,
         "normal double");
  status(curandGenerateLogNormal(generator, z.data, z.count, 0.f, 0.25f), 0,
         "log-normal");
  double a = 0, aa = 0, b = 0, bb = 0, c = 0;
  for (float v : x.host())
    a += v, aa += double(v) * v;
  for (double v : y.host())
    b += v, bb += v * v;
  for (float v : z.host())
    c += std::log(double(v));
  const double n = 100000;
  expect(std::fabs(a / n - 2) < 0.01, "mean", type);
  expect(std::fabs(aa / n - a / n * (a / n) - 0.25) < 0.01, "deviation", type);
  expect(std::fabs(b / n + 1) < 0.05, "mean of doubles", type);
  expect(std::fabs(bb / n - b / n * (b / n) - 9) < 0.2, "deviation of doubles",
         type);
  expect(std::fabs(c / n) < 0.01, "mean of logarithms", type);
  std::vector<float> h = x.host();
  for (int i = 0; i < 4; ++i)
    expect(std::fabs(h[i] - wanted[i]) < 4e-6, "normal number", i);
  std::vector<double> d = y.host();
  expect(std::fabs(d[1] - double(wanted[4])) < 1e-6, "normal double", type);
  status(curandDestroyGenerator(generator), 0, "destroy");
}

// MT19937's first twister, which is std::mt19937: eight numbers of each row of
// 65536, from all places of its state, in calls that begin anywhere in a row.
static void twister() {
  constexpr size_t Row = 65536, Rows = 160, Words = 624;
  const unsigned begins[8] = {0, 113, 170, 283, 340, 397, 510, 567};
  std::vector<unsigned> order(begins, begins + 8);
  order.resize(Words);
  size_t rank = 0; // among the words where no lane begins
  for (unsigned j = 0; j < Words; ++j)
    if (std::find(begins, begins + 8, j) == begins + 8) {
      order[(1 + rank / 56 * 7 + rank % 7) * 8 + rank % 56 / 7] = j;
      ++rank;
    }
  curandGenerator_t g = make(CURAND_RNG_PSEUDO_MT19937, 77);
  Device<unsigned> numbers(Row * Rows);
  for (size_t done = 0, count = 1; done < numbers.count; done += count) {
    count = std::min({3 * count, size_t(777777), numbers.count - done});
    status(curandGenerate(g, numbers.data + done, count), 0, "twister");
  }
  const std::vector<unsigned> got = numbers.host();
  std::mt19937 reference(77);
  std::vector<unsigned> words(Words);
  for (size_t row = 0; row < Rows; ++row) {
    if (row % (Words / 8) == 0)
      std::generate(words.begin(), words.end(), std::ref(reference));
    for (size_t i = 0; i < 8; ++i)
      expect(got[row * Row + i] == words[order[row % (Words / 8) * 8 + i]],
             "MT19937, row", row);
  }
  curandDestroyGenerator(g);
}

static void streams() {
  curandGenerator_t generator = make(CURAND_RNG_PSEUDO_PHILOX4_32_10, 5);
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  status(curandSetStream(generator, stream), 0, "stream");
  Device<float> x(1 << 20);
  std::vector<float> h(1 << 20), again(1 << 20);
  curandGenerateUniform(generator, x.data, x.count);
  cudaMemcpyAsync(h.data(), x.data, x.count * 4, cudaMemcpyDeviceToHost,
                  stream);
  cudaStreamSynchronize(stream);
  double total = 0;
  for (float v : h)
    total += v;
  expect(std::fabs(total / (1 << 20) - 0.5) < 0.002, "mean");
  curandSetGeneratorOffset(generator, 1000);
  curandGenerateUniform(generator, x.data, 1000);
  cudaMemcpyAsync(again.data(), x.data, 4000, cudaMemcpyDeviceToHost, stream);
  cudaStreamSynchronize(stream);
  for (int i = 0; i < 1000; ++i)
    expect(again[i] == h[1000 + i], "in the stream", i);
  curandDestroyGenerator(generator);
  cudaStreamDestroy(stream);
}

static void statuses() {
  Device<float> x(16);
  Device<double> y(16);
  unsigned *none = nullptr;
  curandGenerator_t g = nullptr;
  status(curandDestroyGenerator(g), 101, "destroy nothing");
  status(curandGenerate(g, none, 4), 101, "generate nothing");
  status(curandCreateGenerator(&g, (curandRngType)7), 103, "type");
  g = make(CURAND_RNG_PSEUDO_DEFAULT, 1);
  status(curandGenerateNormal(g, x.data, 3, 0, 1), 105, "odd");
  status(curandGenerateLogNormalDouble(g, y.data, 3, 0, 1), 105, "odd");
  status(curandGenerateUniform(g, x.data, 3), 0, "odd uniform");
  status(curandGenerateNormal(g, x.data, 4, 0, -1), 0, "negative deviation");
  status(curandGeneratePoisson(g, (unsigned *)x.data, 3, -1), 104, "mean");
  status(curandGeneratePoisson(g, (unsigned *)x.data, 3, 0), 104, "mean");
  status(curandGeneratePoisson(g, (unsigned *)x.data, 3, 1e6), 104, "mean");
  status(curandGenerateLongLong(g, (unsigned long long *)y.data, 3), 103,
         "long words");
  status(curandSetQuasiRandomGeneratorDimensions(g, 3), 103, "dimensions");
  status(curandSetGeneratorOrdering(g, CURAND_ORDERING_QUASI_DEFAULT), 104,
         "ordering");
  status(curandGenerate(g, (unsigned *)x.data, 0), 0, "no numbers");
  status(curandGenerateSeeds(g), 0, "seeds");
  status(curandDestroyGenerator(g), 0, "destroy");
  // NVIDIA's library frees once more what it has freed.
  const char *device = std::getenv("CUFORT_DEVICE");
  if (!device || std::string(device) != "cuda")
    status(curandDestroyGenerator(g), 101, "destroy twice");
  g = make(CURAND_RNG_PSEUDO_MRG32K3A, 1);
  status(curandSetGeneratorOrdering(g, CURAND_ORDERING_PSEUDO_SEEDED), 104,
         "seeded");
  status(curandDestroyGenerator(g), 0, "destroy");
  int version = 0;
  status(curandGetVersion(&version), 0, "version");
  expect(version >= 10000, "version", version);
}

int main() {
  for (const Recorded &r : All)
    recorded(r);
  for (const Quasi &r : Quasis)
    quasirandom(r);
  directions();
  const float xorwow[] = {1.82253838f, 2.75388432f, 1.38590622f, 2.46974659f,
                          -6.80130085f};
  const float mrg[] = {2.8651886f, 2.66003489f, 2.02461958f, 1.94631743f,
                       0.0385266263f};
  const float philox[] = {1.8475765f, 2.00014591f, 2.53393626f, 2.89437866f,
                          -1.04155258f};
  normals(CURAND_RNG_PSEUDO_XORWOW, xorwow);
  normals(CURAND_RNG_PSEUDO_MRG32K3A, mrg);
  normals(CURAND_RNG_PSEUDO_PHILOX4_32_10, philox);
  twister();
  streams();
  statuses();
  cudaDeviceSynchronize();
  std::printf(failures ? "FAILED\n" : "PASSED\n");
  return failures != 0;
}
