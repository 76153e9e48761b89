C FLAGS: -cuda
C     Fixed form: a .f file with -cuda.
      MODULE KERNELS
      CONTAINS
      ATTRIBUTES(GLOBAL) SUBROUTINE SQUARE(A, N)
      INTEGER, VALUE :: N
      REAL A(N)
      INTEGER I
      I = (BLOCKIDX%X - 1) * BLOCKDIM%X
     &    + THREADIDX%X
      IF (I .LE. N) A(I) = A(I) ** 2
      END SUBROUTINE
      END MODULE

      PROGRAM TEST
      USE CUDAFOR
      USE KERNELS
      REAL A(100)
      REAL, DEVICE :: ADEV(100)
      INTEGER I
      DO 10 I = 1, 100
   10 A(I) = I
      ADEV = A
      CALL SQUARE<<<4, 32>>>(ADEV, 100)
      A = ADEV
      DO 20 I = 1, 100
      IF (A(I) .NE. REAL(I) ** 2) ERROR STOP 'WRONG'
   20 CONTINUE
      PRINT *, 'PASSED'
      END
