#include "doc/yaml/yaml_line.h"

static bool blank_at(ho_str line, size_t at)
{
  return at >= line.n || line.p[at] == ' ' || line.p[at] == '\t';
}

static size_t skip_blanks(ho_str line, size_t at)
{
  while (at < line.n && blank_at(line, at))
    at++;
  return at;
}

static size_t close_quote(ho_str line, size_t at)
{
  char quote = line.p[at];
  for (at++; at < line.n; at++) {
    if (quote == '"' && line.p[at] == '\\')
      at++;
    else if (line.p[at] == quote && quote == '\'' && at + 1 < line.n && line.p[at + 1] == quote)
      at++;
    else if (line.p[at] == quote)
      return at + 1;
  }
  return HO_NONE;
}

static size_t close_bracket(ho_str line, size_t at)
{
  size_t depth = 0;
  for (; at < line.n; at++) {
    depth += line.p[at] == '[' || line.p[at] == '{';
    depth -= line.p[at] == ']' || line.p[at] == '}';
    if (depth == 0)
      return at + 1;
  }
  return HO_NONE;
}

size_t ho_yaml_line_close(ho_str line, size_t at)
{
  size_t open = at;
  while (open < line.n && (line.p[open] == '&' || line.p[open] == '!')) {
    while (!blank_at(line, open))
      open++;
    open = skip_blanks(line, open);
  }
  if (open < line.n && (line.p[open] == '"' || line.p[open] == '\''))
    return close_quote(line, open);
  return open < line.n && (line.p[open] == '[' || line.p[open] == '{') ? close_bracket(line, open) : at;
}

/* The ':' that ends a key beginning at `at`, or HO_NONE. */
static size_t find_colon(ho_str line, size_t at)
{
  for (; at < line.n; at++) {
    if (line.p[at] == ':' && blank_at(line, at + 1))
      return at;
    if (line.p[at] == '#' && at > 0 && blank_at(line, at - 1))
      break;
  }
  return HO_NONE;
}

static size_t end_of_key(ho_str line, size_t at)
{
  if (strchr("|>", line.p[at]))
    return HO_NONE;
  if (!strchr("\"'[{", line.p[at]))
    return find_colon(line, at);
  size_t end = ho_yaml_line_close(line, at);
  if (end == HO_NONE)
    return HO_NONE;
  end = skip_blanks(line, end);
  return end < line.n && line.p[end] == ':' && blank_at(line, end + 1) ? end : HO_NONE;
}

bool ho_yaml_line_split(ho_str line, ho_yaml_line *out)
{
  *out = (ho_yaml_line){.indent = skip_blanks(line, 0)};
  line = ho_str_trim_end(line);
  size_t at = out->parent = out->indent;
  while (at < line.n && line.p[at] == '-' && at + 1 < line.n && blank_at(line, at + 1)) {
    out->is_item = true;
    out->parent = at;
    at = skip_blanks(line, at + 1);
  }
  out->key_begin = out->key_end = out->value_begin = at;
  out->value_end = line.n;
  if (at >= line.n)
    return false;
  size_t colon = end_of_key(line, at);
  if (colon != HO_NONE) {
    out->has_key = true;
    out->parent = at;
    out->key_end = at + ho_str_trim_end(ho_str_sub(line, at, colon)).n;
    out->value_begin = skip_blanks(line, colon + 1);
  }
  return out->has_key || out->is_item;
}

bool ho_yaml_line_continues(ho_str line, size_t parent)
{
  ho_yaml_line parts;
  bool structured = ho_yaml_line_split(line, &parts);
  return !structured && !ho_str_blank(line) && parts.indent > parent && line.p[parts.indent] != '#';
}
