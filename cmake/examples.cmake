# The examples of `handoff explain`: the cases that every rule has in tests/cases, as a part of the program.
file(GLOB cases CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/cases/*/*)
set(examples ${CMAKE_BINARY_DIR}/rule_examples.c)
add_custom_command(OUTPUT ${examples} COMMAND ${PROJECT_SOURCE_DIR}/scripts/rule-examples > ${examples}
                   DEPENDS ${cases} ${PROJECT_SOURCE_DIR}/scripts/rule-examples COMMENT "Writing the examples of rules"
                   VERBATIM)
target_sources(ho_command PRIVATE ${examples})
