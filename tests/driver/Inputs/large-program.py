"""Writes a program of many kernels, enough for several parts of device code: they
share a device variable, a constant one, a recursive procedure and, in -g code,
line tables. The host computes the same and compares."""
KERNELS = 12

print("module many\n  implicit none\n  integer, device :: calls\n"
      "  integer, constant :: shift(4) = [3, 1, 4, 1]\ncontains")
print("""  attributes(host, device) recursive integer function depth(n) result(r)
    integer, value :: n
    r = n
    if (n > 3) r = depth(n / 2) + depth(n / 3)
  end function""")


def body(kernel, element, shift):
    """What kernel does with element i, for both sides."""
    return [f"v = {element}", f"do k = 1, {kernel + 2}",
            f"  v = mod(v * {2 * kernel + 3} + {shift} + k, 1009)",
            f"  if (mod(v, {kernel + 2}) == 0) v = v + i", "end do",
            *([f"v = v + depth(i + {kernel})"] if kernel % 8 == 0 else [])]


for kernel in range(KERNELS):
    work = "\n".join("      " + line for line in
                     body(kernel, "a(i)", f"shift({kernel % 4 + 1})"))
    print(f"""  attributes(global) subroutine k{kernel}(a, n)
    integer, value :: n
    integer :: a(n), i, k, v, old
    integer, shared :: s(64)
    i = (blockidx%x - 1) * blockdim%x + threadidx%x
    s(threadidx%x) = 0
    if (i <= n) then
{work}
      s(threadidx%x) = v
      if (i == 1) old = atomicadd(calls, {kernel + 1})
    end if
    call syncthreads()
    if (i <= n) a(i) = v + s(blockdim%x - threadidx%x + 1)
  end subroutine""")
print("end module\n\nprogram large\n  use cudafor\n  use many\n  implicit none\n"
      "  integer, parameter :: n = 1024, digits(4) = [3, 1, 4, 1]\n"
      "  integer, device :: d(n)\n  integer :: a(n), h(n), w(n), i, k, v, counted\n"
      "  calls = 0\n  d = [(i, i = 1, n)]\n  a = [(i, i = 1, n)]")
for kernel in range(KERNELS):
    print(f"  call k{kernel}<<<n / 64, 64>>>(d, n)")
    work = "\n".join("    " + line for line in
                     body(kernel, "a(i)", f"digits({kernel % 4 + 1})"))
    print(f"""  do i = 1, n
{work}
    w(i) = v
  end do
  do i = 1, n
    a(i) = w(i) + w((i - 1) / 64 * 64 + 64 - mod(i - 1, 64))
  end do""")
print(f"""  h = d
  counted = calls
  if (any(h /= a)) error stop "wrong elements"
  if (counted /= {KERNELS * (KERNELS + 1) // 2}) error stop "wrong count"
  print *, "right"
end program""")
