program macro
#ifdef VALUE
  print *, VALUE
#else
  print *, 'none'
#endif
#ifdef _CUDA
  print *, 'cuda'
#endif
end program
