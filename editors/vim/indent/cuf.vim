" Fortran's.
if exists('b:did_indent')
  finish
endif
runtime! indent/fortran.vim
