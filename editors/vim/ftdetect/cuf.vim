" CUDA Fortran: .cuf, and .CUF, which is preprocessed. (.cu is Vim's own cuda.)
autocmd BufNewFile,BufRead *.cuf,*.CUF setfiletype cuf
