" CUDA Fortran is Fortran in free form.
if exists('b:did_ftplugin')
  finish
endif
let b:fortran_fixed_source = 0
runtime! ftplugin/fortran.vim
