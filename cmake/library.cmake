# libhandoff: one object with everything below include/handoff.h in it, of which only handoff_* can be seen, as an
# archive and as a shared library. Debian's archives are compiled for programs, not for shared libraries, so the shared one links their shared
# counterparts.
set(library_layers "")
foreach(layer surface command engine store model doc base)
  if(TARGET ho_${layer})
    list(APPEND library_layers $<TARGET_FILE:ho_${layer}>)
    list(APPEND library_targets ho_${layer})
  endif()
endforeach()

add_library(handoff_library OBJECT src/surface/library.c)
target_include_directories(handoff_library PRIVATE include src)
target_link_libraries(handoff_library PRIVATE ${below})

add_custom_command(
  OUTPUT ${CMAKE_BINARY_DIR}/libhandoff.a
  COMMAND ${CMAKE_LINKER} -r -o handoff_all.o $<TARGET_OBJECTS:handoff_library> --start-group ${library_layers} --end-group
  COMMAND ${CMAKE_OBJCOPY} --wildcard --keep-global-symbol=handoff_* handoff_all.o
  COMMAND ${CMAKE_COMMAND} -E rm -f libhandoff.a
  COMMAND ${CMAKE_AR} rcs libhandoff.a handoff_all.o
  DEPENDS handoff_library ${library_targets} $<TARGET_OBJECTS:handoff_library>
  WORKING_DIRECTORY ${CMAKE_BINARY_DIR}
  COMMAND_EXPAND_LISTS VERBATIM)
add_custom_target(handoff_archive ALL DEPENDS ${CMAKE_BINARY_DIR}/libhandoff.a)

file(WRITE ${CMAKE_BINARY_DIR}/handoff.map "{ global: handoff_*; local: *; };\n")
add_library(handoff_shared SHARED $<TARGET_OBJECTS:handoff_library>)
set_target_properties(handoff_shared PROPERTIES OUTPUT_NAME handoff VERSION ${PROJECT_VERSION} SOVERSION 0)
add_dependencies(handoff_shared ${library_targets})
target_link_options(handoff_shared PRIVATE -Wl,--version-script=${CMAKE_BINARY_DIR}/handoff.map -Wl,--no-undefined)
target_link_libraries(handoff_shared PRIVATE -Wl,--start-group ${library_layers} -Wl,--end-group yaml cmark sqlite3 sodium
                                             m Threads::Threads)

set(HO_PRIVATE_LIBRARIES "-lyaml -lcmark -lsqlite3 -lsodium -lm -lpthread")
file(RELATIVE_PATH HO_PREFIX_FROM_PC /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
string(REGEX REPLACE "/$" "" HO_PREFIX_FROM_PC ${HO_PREFIX_FROM_PC})
configure_file(cmake/handoff.pc.in handoff.pc @ONLY)
set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME library)
install(FILES include/handoff.h TYPE INCLUDE)
install(TARGETS handoff_shared)
install(FILES ${CMAKE_BINARY_DIR}/libhandoff.a TYPE LIB)
install(FILES ${CMAKE_BINARY_DIR}/handoff.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
