"""Calls of the functions of the libraries' tables that are right: matrices of one
element, vectors of one, and what else the arguments need. For the programs of
library_streams.py and library_statuses.py, in which

    h, stream               are the handle and its stream,
    array<T>(p, i)          is the memory of argument i, which fill<T>(p, i, kind) fills,
    list<T>(p, i)           is an array of addresses of such memory,
    objects                 is the memory that objects such as sparse matrices describe.
"""
import re
import subprocess

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

# What the programs begin with: the handle, memory of arguments and of objects.
MEMORY = r"""
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include <%(header)s>

using Long = long long;
using UnsignedLong = unsigned long long;
static %(handle)s h;
static cudaStream_t stream;
constexpr int Slot = 1 << 10, Slots = 32, Bytes = Slot * Slots;
static char *memory, *objects;
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
/// The memory of argument \p number, which has numbers of its own, but for the
/// beginnings of rows and for indices.
template <typename T> static T *array(const Place &place, int number) {
  return (T *)(place.memory + number * Slot);
}
template <typename T>
static void fill(const Place &place, int number, int kind) {
  for (int i = 0; i < 64; ++i) {
    T &to = array<T>(place, number)[i];
    std::memset(&to, 0, sizeof(T));
    const long value = kind == 1 ? i : kind == 2 ? 0 : kind == 3 ? 1 : number + 2;
    if constexpr (requires { to = T(1); })
      to = T(value);
    else if constexpr (requires { to.x = 1; })
      to.x = number + 2;
  }
}
template <typename T>
static T *const *list(const Place &place, int number) {
  place.lists[number * 4] = array<T>(place, number);
  return (T *const *)(place.lists + number * 4);
}
[[maybe_unused]] static void fillObjects() {
  for (int i = 0; i < 1 << 10; ++i)
    ((float *)objects)[i] = 2 + i / 16;
}
/// The handle and its stream, the objects, and \p n places, the first of which
/// has the memory.
static void make(Place *places, int n) {
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  cudaMallocManaged(&objects, 1 << 12);
  for (int i = 0; i < n; ++i) {
    cudaMallocManaged(&places[i].memory, Bytes);
    cudaMallocManaged(&places[i].lists, 1 << 12);
  }
  memory = places->memory;
  %(make)s;
%(setup)s
}
"""


def families(table, key):
    """The functions of the table, those that differ in types together."""
    found = {}
    for f in table.functions:
        found.setdefault(key(f), []).append(f)
    return found.values()


def fills(made):
    """What fills the memory of arguments that argument() has made."""
    return " ".join(each[1] + ";" for each in made if each[1])


def compiled(base, source):
    """The program of a source, BASE.cpp."""
    with open(base + ".cpp", "w", encoding="utf-8") as file:
        file.write(source)
    subprocess.run(["cufort", "-O0", "-std=c++20", base + ".cpp", "-o", base], check=True)
    return base


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
