" The compiler cufort: `:compiler cufort`, then `:make` checks the current file;
" `:set makeprg=make` for whole projects, whose messages have the same form.
if exists('current_compiler')
  finish
endif
let current_compiler = 'cufort'
let s:saved_cpo = &cpo
set cpo&vim

if exists(':CompilerSet') != 2
  command -nargs=* CompilerSet setlocal <args>
endif

CompilerSet makeprg=cufort\ -fsyntax-only\ $*\ %:S
" file:line:column: severity: text; file:line: severity: text; and what concerns
" no place in a file. Other lines show the source and are left out.
CompilerSet errorformat=
      \%f:%l:%c:\ %trror:\ %m,
      \%f:%l:%c:\ fatal\ %trror:\ %m,
      \%f:%l:%c:\ %tarning:\ %m,
      \%f:%l:%c:\ %tote:\ %m,
      \%f:%l:%c:\ %temark:\ %m,
      \cufort:\ %trror:\ %m,
      \cufort:\ %tarning:\ %m,
      \%-G%.%#

let &cpo = s:saved_cpo
unlet s:saved_cpo
