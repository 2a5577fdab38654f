#include "doc/yaml/yaml_problem.h"

static const ho_yaml_problem problems[] = {
    {NULL, "mapping values are not allowed in this context", "': ' is not allowed here; quote the value", false, false},
    {"while scanning a quoted scalar", "found unexpected end of stream", "this quote is never closed", true, true},
    {"while scanning a quoted scalar", "found unexpected document indicator", "this quote is never closed", true, true},
    {"while scanning a simple key", "could not find expected ':'", "expected ':' after a key", true, true},
    {"while scanning an alias", "did not find expected alphabetic or numeric character",
     "a value cannot start with '*' unless it is an alias; quote it", true, false},
    {"while scanning an anchor", "did not find expected alphabetic or numeric character",
     "a value cannot start with '&' unless it is an anchor; quote it", true, false},
    {"while parsing a block mapping", "did not find expected key", "expected a key of the map, or the end of the map",
     false, false},
    {"while parsing a block collection", "did not find expected '-' indicator",
     "expected '- ' and the next item of the list, or the end of the list", false, false},
    {NULL, "found character that cannot start any token", "a value cannot start with this character; quote it", false,
     false},
    {NULL, "block sequence entries are not allowed in this context", "a list cannot begin here; quote the value", false,
     false},
    {NULL, "found unknown escape character", "unknown escape; use '\\\\' or single quotes", false, false},
};

const ho_yaml_problem *ho_yaml_problem_find(const char *context, const char *problem)
{
  for (size_t i = 0; i < HO_COUNT(problems); i++)
    if (strcmp(problem, problems[i].problem) == 0 &&
        (!problems[i].context || (context && strcmp(context, problems[i].context) == 0)))
      return &problems[i];
  return NULL;
}
