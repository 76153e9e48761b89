cmake_policy(SET CMP0009 NEW) # links to folders are links

# The places of a Debian system, in what cpack is about to pack: the tree is in
# /usr/lib/cufort, so that no header of CUDA's lies in /usr/include.
set(usr ${CPACK_TEMPORARY_DIRECTORY}/usr)
if(NOT IS_DIRECTORY ${usr}/lib/cufort/bin)
  message(FATAL_ERROR "no tree in ${usr}/lib/cufort")
endif()

file(MAKE_DIRECTORY ${usr}/bin ${usr}/lib/cmake)
file(CREATE_LINK ../lib/cufort/bin/cufort ${usr}/bin/cufort SYMBOLIC)
file(CREATE_LINK ../cufort/lib/cmake/cufort ${usr}/lib/cmake/cufort SYMBOLIC)
# The names of other compilers, where the tarball has them, too: lib/cufort/bin.
foreach(name nvfortran pgfortran pgf77 pgf90 pgf95 nvcc nvc nvc++ pgcc
        pgc++)
  file(CREATE_LINK cufort ${usr}/lib/cufort/bin/${name} SYMBOLIC)
endforeach()
file(CREATE_LINK lib/cufort/toolkit ${usr}/lib/cufort/toolkit SYMBOLIC)

# Relative to themselves, these would not find the tree through a link.
file(MAKE_DIRECTORY ${usr}/lib/pkgconfig)
file(GLOB packages ${usr}/lib/cufort/lib/pkgconfig/*.pc)
foreach(package ${packages})
  file(READ ${package} text)
  string(REPLACE "\${pcfiledir}/../.." "/usr/lib/cufort" text "${text}")
  cmake_path(GET package FILENAME name)
  file(WRITE ${usr}/lib/pkgconfig/${name} "${text}")
endforeach()

file(RENAME ${usr}/lib/cufort/share ${usr}/share)
file(RENAME ${usr}/share/zsh/site-functions ${usr}/share/zsh/vendor-completions)
set(doc ${usr}/share/doc/cufort)
file(RENAME ${doc}/LICENSE ${doc}/copyright)
execute_process(COMMAND gzip -9n ${usr}/share/man/man1/cufort.1
                COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND gzip -9n ${doc}/CHANGELOG.md COMMAND_ERROR_IS_FATAL ANY)
file(RENAME ${doc}/CHANGELOG.md.gz ${doc}/changelog.gz)
# Debian's packages have no write bits for the group.
file(GLOB_RECURSE files LIST_DIRECTORIES ON ${usr}/*)
foreach(file ${files})
  if(IS_DIRECTORY ${file} AND NOT IS_SYMLINK ${file})
    file(CHMOD ${file} PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE
         GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
  endif()
endforeach()
