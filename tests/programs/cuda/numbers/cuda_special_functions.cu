// Functions of CUDA that C does not have: inverses of erf, erfc and the normal
// distribution, erfcx, modified Bessel functions, norms, sines of multiples of
// pi; and Bessel functions. On the device and on the host.
// No toolkit is used: the device's functions are our own.
// FLAGS: -nocudalib
#include <cmath>
#include <cstdio>

enum { N = 2048, FUNCTIONS = 22 };

static __host__ __device__ void all(double a, double *r, float *s) {
  double unit = a / 8, v[5] = {a, 2 * a, -a, 1, 1e-3};
  float b = a, w[3] = {b, -b, 2 * b};
  int k = 0;
#define ONE(name, at)                                                          \
  r[k] = name(at);                                                             \
  s[k++] = name##f((float)(at));
  ONE(erfinv, unit)
  ONE(erfcinv, 1 + unit)
  ONE(normcdfinv, (1 + unit) / 2)
  ONE(normcdf, a)
  ONE(erfcx, a)
  ONE(cyl_bessel_i0, a)
  ONE(cyl_bessel_i1, a)
  ONE(j0, a)
  ONE(j1, a)
  ONE(y0, a)
  ONE(y1, a)
  ONE(rcbrt, a)
  ONE(tgamma, a)
  ONE(lgamma, a)
  r[k] = rhypot(a, 3.0), s[k++] = rhypotf(b, 3);
  r[k] = rnorm3d(a, 2.0, 3.0), s[k++] = rnorm3df(b, 2, 3);
  r[k] = norm4d(a, 2.0, 3.0, a), s[k++] = norm4df(b, 2, 3, b);
  r[k] = norm(5, v), s[k++] = normf(3, w);
  r[k] = rnorm(5, v), s[k++] = rnormf(3, w);
  r[k] = jn(5, a), s[k++] = ynf(3, b);
  ONE(sinpi, a)
  double sine;
  float sineOfFloat;
  sincospi(a, &sine, r + k), sincospif(b, &sineOfFloat, s + k);
  if (sine != sinpi(a) || r[k] != cospi(a) || s[k] != cospif(b))
    r[k] = -7;
}

__global__ void work(const double *x, double *r, float *s) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  all(x[i], r + i * FUNCTIONS, s + i * FUNCTIONS);
}

static int bad;
static void near(const char *name, double x, double got, double wanted,
                 double limit) {
  if (std::isnan(wanted)   ? !std::isnan(got)
      : std::isinf(wanted) ? got != wanted
                           : !(std::fabs(got - wanted) <= limit))
    if (++bad < 20)
      printf("%s(%.17g): %.17g instead of %.17g\n", name, x, got, wanted);
}

static long double modified(int n, long double x) {
  long double sum = 0, term = n ? x / 2 : 1;
  for (int k = 1; k < 200; ++k)
    sum += term, term *= x * x / 4 / k / (k + n);
  return sum;
}

static void check(const double *x, const double (*r)[FUNCTIONS],
                  const float (*s)[FUNCTIONS]) {
  for (int i = 0; i < N; ++i) {
    long double a = x[i], unit = a / 8;
    double both = unit, slope = 1.1283791670955126;
    // What the inverses give goes back through the functions.
    auto back = [&](const char *name, double y, long double value,
                    long double wanted, double steep) {
      double unitOfY = std::fabs(y) * 2.3e-16 + 1e-300;
      near(name, both, value - wanted, 0, 3 * unitOfY * steep + 1e-19);
    };
    if (std::fabs(both) < 1) {
      double y = r[i][0];
      back("erfinv", y, erfl(y), unit, slope * std::exp(-y * y));
      y = r[i][1];
      back("erfcinv", y, erfcl(y), 1 + unit, slope * std::exp(-y * y));
      y = r[i][2];
      back("normcdfinv", y, erfcl(-y * sqrtl(0.5L)), 1 + unit,
           2 * 0.4 * std::exp(-y * y / 2));
      for (int k = 0; k < 3; ++k)
        near("inverse, float", both, s[i][k], r[i][k],
             std::fabs(r[i][k]) * 1.2e-7);
    } else {
      near("erfinv", both, r[i][0], both < 0 ? -INFINITY : INFINITY, 0);
      near("erfcinv", both, r[i][1], both < 0 ? INFINITY : -INFINITY, 0);
      near("normcdfinvf", both, s[i][2], both < 0 ? -INFINITY : INFINITY, 0);
    }
    long double wanted[] = {erfcl(-a * sqrtl(0.5L)) / 2,
                            expl(a * a) * erfcl(a),
                            modified(0, a),
                            modified(1, a),
                            j0l(a),
                            j1l(a),
                            a < 0 ? NAN : y0l(a),
                            a < 0 ? NAN : y1l(a),
                            1 / cbrtl(a),
                            tgammal(a),
                            lgammal(a),
                            1 / hypotl(a, 3),
                            1 / sqrtl(a * a + 13),
                            sqrtl(2 * a * a + 13),
                            sqrtl(6 * a * a + 1 + 1e-3L * 1e-3L),
                            1 / sqrtl(6 * a * a + 1 + 1e-3L * 1e-3L),
                            jnl(5, a),
                            sinl(M_PIl * fmodl(a, 2)),
                            cosl(M_PIl * fmodl(a, 2))};
    for (int k = 0; k < 19; ++k) {
      bool absolute = (k > 3 && k < 8) || k == 10 || k > 15;
      double size = std::fabs(wanted[k]);
      if (absolute && !(size > 1))
        size = 1;
      near("function", x[i], r[i][k + 3], wanted[k], size * 1.4e-15);
      if (k != 14 && k != 15 && k != 16)
        near("function, float", x[i], s[i][k + 3], (float)wanted[k],
             size * 4e-7);
    }
    near("normf", x[i], s[i][17], std::sqrt(6.0) * std::fabs(x[i]),
         std::fabs(x[i]) * 4e-7);
  }
}

int main() {
  static double x[N], r[N][FUNCTIONS];
  static float s[N][FUNCTIONS];
  for (int i = 0; i < N; ++i)
    x[i] = (i - N / 2) / 128.0;
  double *dx, *dr;
  float *ds;
  cudaMalloc(&dx, sizeof(x)), cudaMalloc(&dr, sizeof(r));
  cudaMalloc(&ds, sizeof(s));
  cudaMemcpy(dx, x, sizeof(x), cudaMemcpyHostToDevice);
  work<<<N / 64, 64>>>(dx, dr, ds);
  cudaMemcpy(r, dr, sizeof(r), cudaMemcpyDeviceToHost);
  cudaMemcpy(s, ds, sizeof(s), cudaMemcpyDeviceToHost);
  check(x, r, s);
  // What the compiler finds on the host.
  for (int i = 0; i < N; ++i)
    all(x[i], r[i], s[i]);
  check(x, r, s);
  printf(bad ? "%d wrong\n" : "PASSED\n", bad);
}
