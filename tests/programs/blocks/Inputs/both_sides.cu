// A C procedure for the host and for the device, under one name.
extern "C" __host__ __device__ void PRESSURE(double *rho, double t, double *p) {
  *p = *rho * 8.314 * t;
}
