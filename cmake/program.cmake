# ho_program(NAME MAIN): a program of all layers, build/PRESET/NAME.
#
# It is linked statically and position-independent: it needs nothing on the machine, not even the same C library, and is
# still loaded at another address in every run. The linker warns if a call would need shared libraries after all (a name
# service, a resolver, dlopen), and a warning is an error here. Sanitizers cannot be linked this way, and Debug builds do
# not need it.
#
# What the first program does without (the server, as it would start later with a library more) is a program of its own:
# from the same layers, found beside the first one or in libexec/handoff, and started by exec, as git does with its remote
# helpers. One that cannot be linked statically, such as the client of a database server, says SHARED.
option(HO_STATIC "link the program statically, so that it needs nothing on the machine" ON)

function(ho_program name main)
  add_executable(${name} ${main})
  target_link_libraries(${name} PRIVATE ${below})
  if(HO_STATIC AND NOT HO_SANITIZE AND NOT "SHARED" IN_LIST ARGN AND NOT CMAKE_BUILD_TYPE STREQUAL "Debug")
    target_sources(${name} PRIVATE src/surface/static.c)
    target_link_options(${name} PRIVATE -static-pie LINKER:--fatal-warnings
                        LINKER:--wrap=dlopen,--wrap=dlsym,--wrap=dlclose,--wrap=dlerror
                        LINKER:--wrap=getaddrinfo,--wrap=freeaddrinfo,--wrap=getservbyname,--wrap=getprotobynumber)
    if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|amd64|AMD64)$")
      target_sources(${name} PRIVATE src/surface/static_entry.c)
      set_source_files_properties(src/surface/static_entry.c PROPERTIES COMPILE_OPTIONS -fno-stack-protector)
      target_link_options(${name} PRIVATE LINKER:-e,ho_entry)
    endif()
  endif()
  target_link_options(${name} PRIVATE $<$<CONFIG:Release>:-s>)
endfunction()
