# What `cmake --install` puts where, below the prefix. The completion scripts and the manual pages
# are written by the program itself.
include(GNUInstallDirs)
# Packages have the component `program` (scripts/dist); the library is one of its own.
set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME program)
# The program finds what is installed with it beside its own folder, in the build too.
file(COPY ${PROJECT_SOURCE_DIR}/schemas DESTINATION ${CMAKE_BINARY_DIR}/share/handoff)

if(TARGET handoff)
  install(TARGETS handoff RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  install(TARGETS handoff-server RUNTIME DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/handoff)
  set(completions ${CMAKE_BINARY_DIR}/completions)
  file(MAKE_DIRECTORY ${completions})
  foreach(shell bash zsh fish)
    add_custom_command(OUTPUT ${completions}/${shell} COMMAND handoff completion ${shell} > ${completions}/${shell}
                       DEPENDS handoff COMMENT "Writing the completion for ${shell}")
  endforeach()
  set(pages ${CMAKE_BINARY_DIR}/man)
  add_custom_command(OUTPUT ${pages}/handoff.1 COMMAND ${PROJECT_SOURCE_DIR}/scripts/man-pages $<TARGET_FILE:handoff> ${pages}
                     DEPENDS handoff ${PROJECT_SOURCE_DIR}/scripts/man-pages COMMENT "Writing the manual pages" VERBATIM)
  add_custom_target(manual ALL DEPENDS ${pages}/handoff.1)
  install(DIRECTORY ${pages}/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 FILES_MATCHING PATTERN "*.1")
  add_custom_target(completions ALL DEPENDS ${completions}/bash ${completions}/zsh ${completions}/fish)
  install(FILES ${completions}/bash RENAME handoff DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
  install(FILES ${completions}/zsh RENAME _handoff DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
  install(FILES ${completions}/fish RENAME handoff.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
endif()
install(DIRECTORY ${PROJECT_SOURCE_DIR}/schemas/ DESTINATION ${CMAKE_INSTALL_DATADIR}/handoff/schemas
        FILES_MATCHING PATTERN "*.json")
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
