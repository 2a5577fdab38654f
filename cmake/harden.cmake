# A release is small, so that it starts fast, and hardened, because all input is untrusted. Flags that the compiler does
# not know are left out. Builds with sanitizers need none of this.
include(CheckCCompilerFlag)
set(CMAKE_C_FLAGS_RELEASE "-O2 -DNDEBUG")
set(HO_HARDENED $<NOT:$<CONFIG:Debug>>)
if(HO_SANITIZE)
  set(HO_HARDENED 0)
endif()

foreach(flag -fstack-protector-strong -fstack-clash-protection -fcf-protection -mbranch-protection=standard)
  string(MAKE_C_IDENTIFIER "HO_HAS${flag}" known)
  check_c_compiler_flag(${flag} ${known})
  if(${known})
    add_compile_options($<${HO_HARDENED}:${flag}>)
  endif()
endforeach()

# _FORTIFY_SOURCE=3 needs __builtin_dynamic_object_size.
set(fortify 2)
if(CMAKE_C_COMPILER_ID STREQUAL "Clang" OR CMAKE_C_COMPILER_VERSION VERSION_GREATER_EQUAL 12)
  set(fortify 3)
endif()
add_compile_options($<${HO_HARDENED}:-U_FORTIFY_SOURCE> $<${HO_HARDENED}:-D_FORTIFY_SOURCE=${fortify}>
                    # The same bytes, wherever it is built.
                    $<${HO_HARDENED}:-ffile-prefix-map=${PROJECT_SOURCE_DIR}/=>
                    $<${HO_HARDENED}:-ffunction-sections> $<${HO_HARDENED}:-fdata-sections>)
add_link_options($<${HO_HARDENED}:LINKER:--gc-sections,--as-needed,-z,relro,-z,now,-z,noexecstack,-z,text>)
