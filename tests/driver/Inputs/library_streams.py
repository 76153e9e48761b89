"""Calls each function of the libraries' tables that launches work, on the CPU, and
says which of them are no operations of their stream:

    library_streams.py LIBRARIES FOLDER

LIBRARIES has the tables; programs are written into FOLDER, compiled by cufort and
run. Matrices have one element. Each function is called

 - plainly: what it leaves in memory is what is expected from then on;
 - behind a host function that does not end: it returns, and leaves memory as it is,
   unless it has results for the host; then it has waited;
 - while the stream is captured: it leaves memory as it is, and the graph does the
   work; or it is refused, if it has results for the host;
 - on the same handle from two host threads, with memory of their own;
 - while another device is the thread's: it is refused, or does its work;

with scalars in host memory, and where handles have a pointer mode in the device's,
too.
"""
import concurrent.futures
import os
import re
import subprocess
import sys

LIBRARIES, FOLDER = map(os.path.abspath, sys.argv[1:])
sys.path.insert(0, LIBRARIES)
import tables  # pylint: disable=wrong-import-position,import-error

CUSPARSE = """
  static int starts[] = {0, 1}, zeros[] = {0, 0};
  int *i = managed<int>(starts, 2), *z = managed<int>(zeros, 2);
  for (int k = 0; k < 3; ++k) {
    float *v = (float *)objects + 16 * k;
    cusparseCreateCsr(&matrices[k], 1, 1, 1, i, z, v, CUSPARSE_INDEX_32I,
                      CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F);
    cusparseCreateDnMat(&dense[k], 1, 1, 1, v + 64, CUDA_R_32F, CUSPARSE_ORDER_COL);
    cusparseCreateDnVec(&vectors[k], 1, v + 128, CUDA_R_32F);
    cusparseCreateSpVec(&sparse[k], 1, 1, z, v + 192, CUSPARSE_INDEX_32I,
                        CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F);
  }
  cusparseCreateMatDescr(&plain);
  cusparseSpSV_createDescr(&spsv);
  cusparseSpSM_createDescr(&spsm);
  cusparseCreateCsrilu02Info(&ilu);
  cusparseCreateCsric02Info(&ic);
"""
CUTENSOR = """
  const int64_t extent[] = {1};
  cutensorTensorDescriptor_t t;
  cutensorCreateTensorDescriptor(h, &t, 1, extent, nullptr, CUTENSOR_R_32F, 128);
  const int m[] = {'m'};
  const auto id = CUTENSOR_OP_IDENTITY;
  const auto c = CUTENSOR_COMPUTE_DESC_32F;
  cutensorOperationDescriptor_t o[5];
  cutensorCreatePermutation(h, &o[0], t, m, id, t, m, c);
  cutensorCreateElementwiseBinary(h, &o[1], t, m, id, t, m, id, t, m,
                                  CUTENSOR_OP_ADD, c);
  cutensorCreateElementwiseTrinary(h, &o[2], t, m, id, t, m, id, t, m, id, t, m,
                                   CUTENSOR_OP_ADD, CUTENSOR_OP_ADD, c);
  cutensorCreateReduction(h, &o[3], t, m, id, t, m, id, t, m, CUTENSOR_OP_ADD, c);
  cutensorCreateContraction(h, &o[4], t, m, id, t, m, id, t, m, id, t, m, c);
  for (int k = 0; k < 5; ++k)
    cutensorCreatePlan(h, &plans[k], o[k], nullptr, 0);
"""
CUBLASLT = """
  cublasLtMatrixLayoutCreate(&layout, CUDA_R_32F, 1, 1, 1);
  cublasLtMatmulDescCreate(&product, CUBLAS_COMPUTE_32F, CUDA_R_32F);
  cublasLtMatrixTransformDescCreate(&transform, CUDA_R_32F);
"""
CUFFT = "\n".join(
    f"  cufftPlan1d(&plans[{i}], 8, CUFFT_{t}, 1), cufftSetStream(plans[{i}], stream);"
    for i, t in enumerate(("C2C", "R2C", "C2R", "Z2Z", "D2Z", "Z2D")))

# library: the type of its handles; how one is made, with its stream; objects that
# functions take, and how these are made.
HANDLES = {
    "cublas": ("cublasHandle_t",
               "cublasCreate_v2(&h), cublasSetStream_v2(h, stream)", "", ""),
    "cusparse": ("cusparseHandle_t", "cusparseCreate(&h), cusparseSetStream(h, stream)",
                 "static cusparseSpMatDescr_t matrices[3];\n"
                 "static cusparseDnMatDescr_t dense[3];\n"
                 "static cusparseDnVecDescr_t vectors[3];\n"
                 "static cusparseSpVecDescr_t sparse[3];\n"
                 "static cusparseMatDescr_t plain;\nstatic cusparseSpSVDescr_t spsv;\n"
                 "static cusparseSpSMDescr_t spsm;\n"
                 "static csrilu02Info_t ilu;\nstatic csric02Info_t ic;", CUSPARSE),
    "cusolverDn": ("cusolverDnHandle_t",
                   "cusolverDnCreate(&h), cusolverDnSetStream(h, stream)",
                   "static cusolverDnParams_t params;\nstatic syevjInfo_t eigen;\n"
                   "static gesvdjInfo_t singular;\n"
                   "static cusolverDnIRSParams_t refine;\n"
                   "static cusolverDnIRSInfos_t infos;",
                   "  cusolverDnCreateParams(&params);\n"
                   "  cusolverDnCreateSyevjInfo(&eigen);\n"
                   "  cusolverDnCreateGesvdjInfo(&singular);\n"
                   "  cusolverDnIRSParamsCreate(&refine);\n"
                   "  cusolverDnIRSParamsSetSolverPrecisions(refine, CUSOLVER_R_32F,"
                   " CUSOLVER_R_32F);\n"
                   "  cusolverDnIRSParamsSetRefinementSolver(refine,"
                   " CUSOLVER_IRS_REFINE_NONE);\n"
                   "  cusolverDnIRSInfosCreate(&infos);"),
    "curand": ("curandGenerator_t",
               "curandCreateGenerator(&h, CURAND_RNG_PSEUDO_PHILOX4_32_10),"
               " curandSetStream(h, stream)", "", ""),
    "cufft": ("cufftHandle", "cufftPlan1d(&h, 8, CUFFT_C2C, 1),"
              " cufftSetStream(h, stream)", "static cufftHandle plans[6];", CUFFT),
    "cublasLt": ("cublasLtHandle_t", "cublasLtCreate(&h)",
                 "static cublasLtMatrixLayout_t layout;\n"
                 "static cublasLtMatmulDesc_t product;\n"
                 "static cublasLtMatrixTransformDesc_t transform;", CUBLASLT),
    "cutensor": ("cutensorHandle_t", "cutensorCreate(&h)",
                 "static cutensorPlan_t plans[5];", CUTENSOR),
    "nccl": ("ncclComm_t", "ncclCommInitAll(&h, 1, nullptr)", "", ""),
}
# What stands for objects.
OBJECTS = {
    "cusparseMatDescr_t": "plain", "cusparseSpSVDescr_t": "spsv",
    "cusparseSpSMDescr_t": "spsm", "csrilu02Info_t": "ilu", "csric02Info_t": "ic",
    "cusolverDnParams_t": "params", "syevjInfo_t": "eigen",
    "gesvdjInfo_t": "singular", "cusolverDnIRSParams_t": "refine",
    "cusolverDnIRSInfos_t": "infos", "cublasLtMatrixLayout_t": "layout",
    "cublasLtMatmulDesc_t": "product", "cublasLtMatrixTransformDesc_t": "transform",
}
ARRAYS = {"SpMat": "matrices", "DnMat": "dense", "DnVec": "vectors", "SpVec": "sparse"}
PLANS = {"cutensorPermute": 0, "cutensorElementwiseBinaryExecute": 1,
         "cutensorElementwiseTrinaryExecute": 2, "cutensorReduce": 3,
         "cutensorContract": 4, "cufftExecC2C": 0, "cufftExecR2C": 1,
         "cufftExecC2R": 2, "cufftExecZ2Z": 3, "cufftExecD2Z": 4, "cufftExecZ2D": 5,
         "cufftXtExec": 0}
# Values of types and names; otherwise an enumeration's first one, and one.
VALUES = {"cublasComputeType_t": "CUBLAS_COMPUTE_32F", "cudaDataType": "CUDA_R_32F",
          "ncclDataType_t": "ncclFloat", "char": "'A'", "uchar": "1",
          "cusolverDirectMode_t": "CUBLAS_DIRECT_FORWARD"}
NAMED = {"kl": 0, "ku": 0, "direction": -1, "peer": 0, "root": 0, "vl": 0, "niters": 1,
         "workspaceSize": 0, "workspaceSizeInBytes": 0, "p": 0, "mean": 0, "algo": 0,
         "blockDim": 1, "count": 1}
# Types of several words.
WORDS = {"long long": "Long", "unsigned long long": "UnsignedLong",
         "unsigned int": "unsigned", "signed char": "char"}
# Results for the host that are known at once: that arguments are right, how many
# iterations a solver took that does not iterate.
# The host's work area is none.
AT_ONCE = {"bufferOnHost", "niters", "iter", "iters", "niter", "h_err_sigma"}
# Functions that change nothing in matrices of one element, or refuse what is meant
# here.
WITHOUT_EFFECT = re.compile(
    r"sort|laswp|csrilu02$|prune\w+2csr$|ncclBcast|GenerateLongLong|GroupedBatch")
# Functions that are no work, have parts of several calls, or are several devices'.
PASSED_OVER = re.compile(
    r"_bufferSize|_createDescr|_destroyDescr|^\w+?(Set|Get|Create|Destroy|Logger)[A-Z]|"
    r"SpGEMM|DenseToSparse_convert|cufftMake|cufftXt[SMFQC]|Descriptor|"
    r"^ncclComm|Destroy$|Create$|^ncclMem|^ncclGroup|^ncclRedOp|^nccl(Send|Recv)$|SetStream|"
    r"Reset|SpS[VM]_updateMatrix|BufferInfo|zeroPivot|numericBoost|Algo|cusolverDnIRS\w+[st](Get|Set|Request)|"
    r"cusolverDnX(syevj|gesvdj)(Get|Set)|Emulation|curandGenerateSeeds|cutensorEstimate|"
    r"cutensorOperation|cutensorPlan|cutensorHandle|SetWorkspace|cublasLt(Matrix|Matmul|Emulation)\w*(Init|Create|Destroy|Set|Get)")

FRAME = """// Generated by library_streams.py.
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <%(header)s>

using Long = long long;
using UnsignedLong = unsigned long long;
using Handle = %(handle)s;
static Handle h;
static cudaStream_t stream;
constexpr int Slot = 1 << 10, Slots = 32, Bytes = Slot * Slots;
static char *memory, *others, *objects;
template <typename T> [[maybe_unused]] static T *managed(const T *from, int n) {
  T *to = nullptr;
  cudaMallocManaged(&to, n * sizeof(T));
  std::memcpy(to, from, n * sizeof(T));
  return to;
}
%(objects)s

/// Where the arguments of a call are.
struct Place {
  char *memory;
  void **lists;
};
/// The memory of argument \\p number, which has numbers of its own, but for the
/// beginnings of rows and for indices.
template <typename T> static T *array(const Place &place, int number) {
  return (T *)(place.memory + number * Slot);
}
template <typename T>
static void fill(const Place &place, int number, int kind) {
  for (int i = 0; i < 64; ++i) {
    T &to = array<T>(place, number)[i];
    std::memset(&to, 0, sizeof(T));
    if constexpr (requires { to = T(1); })
      to = kind == 1   ? T(i)
           : kind == 2 ? T(0)
           : kind == 3 ? T(1)
                       : T(number + 2);
    else if constexpr (requires { to.x = 1; })
      to.x = number + 2;
  }
}
template <typename T>
static T *const *list(const Place &place, int number) {
  place.lists[number * 4] = array<T>(place, number);
  return (T *const *)(place.lists + number * 4);
}
template <typename T> static long status(T value) { return long(value); }

enum Manner { Follows, Waits, AtOnce };
struct Function {
  const char *name;
  void (*fill)(const Place &);
  long (*call)(const Place &);
  Manner manner[2]; ///< with scalars of the host, of the device
  bool withoutEffect;
};
static const Function functions[] = {
%(functions)s
};
static constexpr int count = sizeof functions / sizeof *functions;

/// What the children tell.
struct Progress {
  int function, mode, reached, wrong;
};
static Progress *progress;

static void fail(const char *function, const char *what, long value) {
  ++progress->wrong;
  std::printf("%%s, scalars of the %%s: %%s (%%ld)\\n", function,
              progress->mode ? "device" : "host", what, value);
}

static std::atomic<bool> released;
static void hold(void *) {
  while (!released)
    std::this_thread::yield();
}
static void begin(const Function &f, const Place &place) {
  std::memset(place.memory, 0, Bytes);
  f.fill(place);
  for (int i = 0; i < 1 << 10; ++i)
    ((float *)objects)[i] = 2 + i / 16;
  %(reset)s;
}
struct Memory {
  char arguments[Bytes], ofObjects[1 << 12];
  void take(const Place &place) {
    std::memcpy(arguments, place.memory, Bytes);
    std::memcpy(ofObjects, objects, sizeof ofObjects);
  }
  bool operator==(const Memory &other) const {
    return !std::memcmp(arguments, other.arguments, Bytes) &&
           !std::memcmp(ofObjects, other.ofObjects, sizeof ofObjects);
  }
};

static void check(const Function &f, const Place &place, const Place &second) {
  static Memory before, expected, now;
  begin(f, place);
  before.take(place);
  const long first = f.call(place);
  if (cudaError_t error = cudaStreamSynchronize(stream)) {
    // Which does so for the rest of the process.
    fail(f.name, "the device fails", error);
    ++progress->function;
    _exit(0);
  }
  expected.take(place);
  if (first || (expected == before && !std::strstr(f.name, "_analysis") &&
                !std::strstr(f.name, "_preprocess"))) {
    std::printf("%%s, scalars of the %%s: not reached, status %%ld\\n", f.name,
                progress->mode ? "device" : "host", first);
    return;
  }
  ++progress->reached;
  if (f.manner[progress->mode] == AtOnce)
    return;
  const bool waits = f.manner[progress->mode] == Waits;

  // Behind what does not end.
  begin(f, place);
  before.take(place);
  released = false;
  cudaLaunchHostFunc(stream, hold, nullptr);
  std::atomic<bool> returned{false};
  std::thread releases([&] {
    for (int i = 0; i < (waits ? 3 : 300) && !returned; ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    if (!returned)
      released = true;
  });
  const long behind = f.call(place);
  const bool waited = released;
  returned = true;
  releases.join();
  now.take(place);
  if (behind)
    fail(f.name, "status behind other work", behind);
  if (waited != waits)
    fail(f.name, waits ? "does not wait" : "waits", waited);
  else if (!waits && !(now == before))
    fail(f.name, "is not in its stream's order", 0);
  released = true;
  cudaStreamSynchronize(stream);
  now.take(place);
  if (!(now == expected))
    fail(f.name, "behind other work memory differs", 0);

  // Captured.
  begin(f, place);
  cudaGraph_t graph = nullptr;
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  const long captured = f.call(place);
  const cudaError_t ended = cudaStreamEndCapture(stream, &graph);
  now.take(place);
  if (waits && !captured && !ended)
    fail(f.name, "is captured, though it has results for the host", 0);
  if (!waits && (captured || ended))
    fail(f.name, "is not captured", captured ? captured : ended);
  if (!(now == before) && !waits)
    fail(f.name, "does its work when it is captured", 0);
  if (cudaError_t error = cudaStreamSynchronize(stream))
    fail(f.name, "after the capture the stream fails", error);
  if (!captured && !ended) {
    cudaGraphExec_t executable = nullptr;
    size_t nodes = 0;
    cudaGraphGetNodes(graph, nullptr, &nodes);
    if (!nodes && !(expected == before))
      fail(f.name, "is captured as nothing", 0);
    cudaGraphInstantiate(&executable, graph, 0);
    // Twice: what is captured can be done again.
    for (int i = 0; i < 2 && !waits; ++i) {
      begin(f, place);
      cudaGraphLaunch(executable, stream);
      if (cudaError_t error = cudaStreamSynchronize(stream))
        fail(f.name, "its graph fails", error);
      now.take(place);
      if (!%(same)s)
        fail(f.name, "what its graph leaves differs", i);
    }
    cudaGraphExecDestroy(executable);
    cudaGraphDestroy(graph);
  }
  if (cudaError_t error = cudaGetLastError(); error && !waits)
    fail(f.name, "leaves an error", error);

  // From two threads.
  if (%(threads)s) {
    begin(f, second);
    begin(f, place);
    long of[2];
    std::thread other([&] { of[1] = f.call(second); });
    of[0] = f.call(place);
    other.join();
    cudaStreamSynchronize(stream);
    if (of[0] || of[1])
      fail(f.name, "status from two threads", of[0] | of[1]);
    for (const Place *each : {&place, &second}) {
      now.take(*each);
      if (std::memcmp(now.arguments, expected.arguments, Bytes))
        fail(f.name, "from two threads memory differs", each == &second);
    }
  }

  // While another device is the thread's.
  begin(f, place);
  cudaSetDevice(1);
  const long elsewhere = f.call(place);
  cudaError_t error = cudaDeviceSynchronize();
  cudaSetDevice(0);
  if (!error)
    error = cudaDeviceSynchronize();
  now.take(place);
  if (error || (!elsewhere && !(now == expected)))
    fail(f.name, "fails while another device is the thread's", error);
}

static void run() {
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  cudaMallocManaged(&memory, Bytes);
  cudaMallocManaged(&others, Bytes);
  cudaMallocManaged(&objects, 1 << 12);
  Place places[2] = {{memory, nullptr}, {others, nullptr}};
  for (Place &place : places)
    cudaMallocManaged(&place.lists, 1 << 12);
  %(make)s;
%(setup)s
  for (; progress->mode < %(modes)s; ++progress->mode, progress->function = 0) {
    %(mode)s;
    for (; progress->function < count; ++progress->function) {
      alarm(60);
      check(functions[progress->function], places[0], places[1]);
    }
  }
  std::fflush(stdout);
  _exit(0);
}

int main() {
  progress = static_cast<Progress *>(mmap(nullptr, sizeof(Progress),
                                          PROT_READ | PROT_WRITE,
                                          MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  while (progress->mode < %(modes)s) {
    std::fflush(stdout);
    const pid_t child = fork();
    if (!child)
      run();
    int end = 0;
    waitpid(child, &end, 0);
    if (WIFSIGNALED(end) || WEXITSTATUS(end)) {
      fail(functions[progress->function].name,
           WIFSIGNALED(end) ? strsignal(WTERMSIG(end)) : "exit", 0);
      ++progress->function;
    }
  }
  std::printf("%%d functions, %%d calls reached, %%d wrong\\n", count,
              progress->reached, progress->wrong);
  return progress->wrong != 0;
}
"""


def kind(f, a):
    """What its memory has: 1: beginnings of rows, 2: indices, options, and what is
    zero at once, 3: sizes."""
    if not a.role and a.name in AT_ONCE | {"info"} or a.type in ("cublasOperation_t",):
        return 2
    if not a.role and a.passing == "[]" and a.type in ("int", "long"):
        return 3
    if a.passing.endswith("!"):
        return 2 if "sort" in f.name else 0
    if re.search(r"(Row|Col)(Ptr|Offsets)", a.name):
        return 1
    return 2 if re.search(r"Ind|Rows|Cols", a.name) and a.role else 0


def argument(table, f, a, main, place):
    """What stands for an argument in a call, and what fills its memory."""
    if a.type == "stream":
        return "stream", None
    c = table.types[a.type][0].strip()
    c = WORDS.get(c, c)
    if a.role == "list":
        if c == "void":
            return f"(void **)list<char>(p, {place})", f"fill<float>(p, {place}, 0)"
        const = "" if a.passing == "!" else "const "
        return (f"({const}{c} **)list<{c}>(p, {place})",
                f"fill<{c}>(p, {place}, 0)")
    for part, name in ARRAYS.items():
        if a.type.startswith("cusparse") and part + "Descr" in a.type:
            # A, B and C; X and Y
            return f"{name}[{'ABCXY'.find(a.name[-1]) % 3}]", None
    if a.role or a.passing:
        element = "float" if c == "void" else c
        if "computeType" in a.name:
            element = c
        return f"array<{c}>(p, {place})", f"fill<{element}>(p, {place}, {kind(f, a)})"
    if f.name in PLANS and a.name == "plan":
        return f"plans[{PLANS[f.name]}]", None
    if a.type == main:
        return "h", None
    if a.type in OBJECTS:
        return OBJECTS[a.type], None
    if a.type == "cudaDataType" and re.match(r"cublasC[a-z]|cublasDotc?Ex_c", f.name):
        return "CUDA_C_32F", None
    if a.type in VALUES:
        return VALUES[a.type], None
    for name, values, _ in table.enums:
        if a.type == name:
            return values[0][0], None
    if re.search("g[tp]sv", f.name) and a.name in ("m", "batchStride"):
        return f"{c}(8)", None
    if re.search("g[tp]sv", f.name) and a.name == "ldb":
        return f"{c}(8)", None
    if a.name in NAMED:
        return f"{c}({NAMED[a.name]})", None
    if a.type in ("cublasLtMatmulAlgo_t",):
        return "nullptr", None
    if re.match(r"ld|[lL]work|.*[bB]ytes|bufferSize", a.name):
        return f"{c}({64 if not a.name.startswith('ld') else 4})", None
    return f"{c}(1)" if a.type not in ("complex", "dcomplex") else f"{c}{{1, 0}}", None


def waits(table, f, mode):
    """Whether it has results for the host, for which it has to wait."""
    if f.name == "cusparseDenseToSparse_analysis":
        return True  # The descriptor then has the number of elements.
    if re.search("[rR]otm?g", f.name) and mode == 0:
        return None  # The host computes them.
    for a in f.arguments:
        if a.type in ("size", "sizes"):
            continue
        if (a.role == "" and a.passing[-1:] in ("!", "*") and "plan" not in a.name and
                not (a.name in AT_ONCE or (a.name, table.name) == ("info", "cublas"))):
            return True
        if mode == 0 and a.role == "scalar" and (a.passing == "*" or
                                                 a.passing.endswith("!")):
            return True
    return False


def program(name):
    """The source of the program for a library."""
    table = tables.Table(os.path.join(LIBRARIES, name, name + ".table"))
    handle, make, objects, setup = HANDLES[name]
    calls = []
    # Of the types of a routine the first and the last.
    families = {}
    for f in table.functions:
        families.setdefault((f.part, f.base) if f.part else f.name, []).append(f)
    for f in (f for family in families.values()
              for f in dict.fromkeys((family[0], family[-1]))):
        types = [a.type for a in f.arguments if not a.passing]
        if (f.only_gpu or f.makes or f.ends or f.result or PASSED_OVER.search(f.name) or
                handle not in types and "plan" not in
                [a.name for a in f.arguments]):
            continue
        made = [argument(table, f, a, handle, i) for i, a in enumerate(f.arguments)]
        arguments = ", ".join(m[0] for m in made)
        fills = " ".join(m[1] + ";" for m in made if m[1])
        modes = ", ".join({None: "AtOnce", True: "Waits", False: "Follows"}[
            waits(table, f, mode)] for mode in (0, 1))
        calls.append(
            f'    {{"{f.name}", [](const Place &p) {{ (void)p; {fills} }},\n'
            f'     [](const Place &p) {{ (void)p; return '
            f'status({f.name}({arguments})); }}, {{{modes}}}, '
            f'{str(bool(WITHOUT_EFFECT.search(f.name))).lower()}}},')
    mode = table.pointer_mode
    return FRAME % {
        "header": table.header, "handle": handle, "make": make, "objects": objects,
        "setup": setup, "functions": "\n".join(calls),
        "modes": 2 if mode else 1,
        "mode": f"{mode[1]}(h, progress->mode ? {mode[3]} : {mode[2]})" if mode else "",
        "reset": "curandSetGeneratorOffset(h, 0)" if name == "curand" else "",
        "same": "(i || now == expected)" if name == "curand" else "(now == expected)",
        "threads": "false" if name in ("curand", "nccl") else "true"}


def run(name):
    base = os.path.join(FOLDER, name)
    with open(base + ".cpp", "w", encoding="utf-8") as file:
        file.write(program(name))
    subprocess.run(["cufort", "-O0", "-std=c++20", base + ".cpp", "-o", base], check=True)
    done = subprocess.run(
        [base], env={**os.environ, "CUFORT_DEVICE": "cpu", "CUFORT_CPU_DEVICES": "2"},
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
        check=False)
    lines = [line for line in done.stdout.splitlines()
             if not line.startswith((" **", "cufort:"))]
    return name + ":\n" + "\n".join(lines)


os.makedirs(FOLDER, exist_ok=True)
NAMES = os.environ.get("LIBRARIES", " ".join(HANDLES)).split()
with concurrent.futures.ThreadPoolExecutor(2) as pool:
    for text in pool.map(run, NAMES):
        print(text)
