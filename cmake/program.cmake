# ho_program(NAME MAIN): a program of all layers, build/PRESET/NAME.
#
# Linked statically and position-independent, so that it needs nothing on the machine, not even the same C library, and
# still lies at another address in every run. The linker warns where something would need shared libraries after all (a
# name service, a resolver, dlopen); here a warning is an error. Sanitizers cannot be linked so, and Debug builds have no
# need of it.
#
# What cannot be linked statically (a client of a database server, a resolver) does not belong into this program: it gets
# one of its own, from the same layers, installed into the libexec folder and started by exec, as git does it:
#   ho_program(handoff-NAME src/surface/main_NAME.c SHARED)
option(HO_STATIC "link the program statically, so that it needs nothing on the machine" ON)

function(ho_program name main)
  add_executable(${name} ${main})
  target_link_libraries(${name} PRIVATE ${below})
  if(HO_STATIC AND NOT HO_SANITIZE AND NOT "SHARED" IN_LIST ARGN AND NOT CMAKE_BUILD_TYPE STREQUAL "Debug")
    target_sources(${name} PRIVATE src/surface/static.c)
    target_link_options(${name} PRIVATE -static-pie LINKER:--fatal-warnings
                        LINKER:--wrap=dlopen,--wrap=dlsym,--wrap=dlclose,--wrap=dlerror)
  endif()
  target_link_options(${name} PRIVATE $<$<CONFIG:Release>:-s>)
endfunction()
