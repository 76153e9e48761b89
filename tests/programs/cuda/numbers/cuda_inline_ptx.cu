// Inline PTX; words as two or four numbers.
#include <cstdio>
__global__ void words(unsigned *out, float *f, int4 *v) {
  unsigned lane, field, product, mask, three, inserted;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  asm volatile("bfe.u32 %0, %1, %2, %3;"
               : "=r"(field)
               : "r"(lane), "r"(1u), "r"(3u));
  asm("{ .reg .u32 t1;\n\t mul.lo.u32 t1, %1, %2;\n\t add.u32 %0, t1, %1; }"
      : "=r"(product)
      : "r"(lane), "r"(field));
  asm("mov.u32 %0, %%lanemask_lt;" : "=r"(mask));
  asm("lop3.b32 %0, %1, %2, %3, 0x96;"
      : "=r"(three)
      : "r"(lane), "r"(field), "r"(7u));
  asm("bfi.b32 %0, %1, %2, 4, 8;"
      : "=r"(inserted)
      : "r"(lane), "r"(0xffffffffu));
  unsigned old = lane;
  asm("{ .reg .pred p; setp.gt.u32 p, %1, 10; selp.u32 %0, 1, %0, p; }"
      : "+r"(old)
      : "r"(lane));
  float x = __ldcg(f + lane);
  asm volatile("st.global.cg.f32 [%0], %1;" ::"l"(f + 32 + lane), "f"(2 * x)
               : "memory");
  int4 w;
  asm("ld.global.cs.v4.s32 {%0,%1,%2,%3}, [%4];"
      : "=r"(w.x), "=r"(w.y), "=r"(w.z), "=r"(w.w)
      : "l"(v));
  asm volatile("membar.gl;" ::: "memory");
  unsigned *o = out + lane * 8;
  o[0] = field;
  o[1] = product;
  o[2] = mask;
  o[3] = three;
  o[4] = inserted;
  o[5] = old;
  o[6] = w.x + w.w;
  o[7] = __vadd4(0x01ff0203, 0x01010101) + __vmaxu2(lane, 5u << 16) +
         __vsadu4(0x01020304, 0) + __vcmpeq4(0x01020304, 0x01000300) +
         __vabsdiffs2(0xffff0001u, 0x00010005u);
}
int main() {
  unsigned *o, h[256];
  float *f, hf[64];
  int4 *v, hv = {1, 2, 3, 40};
  cudaMalloc(&o, sizeof h);
  cudaMalloc(&f, sizeof hf);
  cudaMalloc(&v, 16);
  for (int i = 0; i < 64; ++i)
    hf[i] = i;
  cudaMemcpy(f, hf, sizeof hf, cudaMemcpyHostToDevice);
  cudaMemcpy(v, &hv, 16, cudaMemcpyHostToDevice);
  words<<<1, 32>>>(o, f, v);
  cudaMemcpy(h, o, sizeof h, cudaMemcpyDeviceToHost);
  cudaMemcpy(hf, f, sizeof hf, cudaMemcpyDeviceToHost);
  int bad = 0;
  for (unsigned l = 0; l < 32; ++l) {
    unsigned field = l >> 1 & 7;
    const unsigned want[8] = {field,
                              l * field + l,
                              (1u << l) - 1,
                              l ^ field ^ 7,
                              0xfffff00fu | l << 4,
                              l > 10 ? 1 : l,
                              41,
                              0x02000304u + (5u << 16) + l + 10 + 0xff00ff00u +
                                  0x00020004u};
    for (int k = 0; k < 8; ++k)
      if (h[l * 8 + k] != want[k]) {
        ++bad;
        printf("%u %d: %x, not %x\n", l, k, h[l * 8 + k], want[k]);
      }
    bad += hf[32 + l] != 2.0f * l;
  }
  if (!bad)
    printf("PASSED\n");
}
