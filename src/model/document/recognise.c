#include "model/document/recognise.h"

/* '*' matches any run of bytes; on a mismatch the last '*' takes one more byte. */
static bool matches_name(ho_str name, ho_str pattern)
{
  size_t n = 0, p = 0, star = HO_NONE, resume = 0;
  while (n < name.n) {
    if (p < pattern.n && pattern.p[p] == '*') {
      star = p++;
      resume = n;
    } else if (p < pattern.n && pattern.p[p] == name.p[n]) {
      p++, n++;
    } else if (star != HO_NONE) {
      p = star + 1;
      n = ++resume;
    } else {
      return false;
    }
  }
  while (p < pattern.n && pattern.p[p] == '*')
    p++;
  return p == pattern.n;
}

/* Takes the last name off a path. */
static ho_str last_name(ho_str *path)
{
  size_t at = path->n;
  while (at && path->p[at - 1] != '/')
    at--;
  ho_str name = ho_str_sub(*path, at, path->n);
  path->n = at ? at - 1 : 0;
  return name;
}

static bool matches_path(ho_str path, ho_str pattern)
{
  while (pattern.n) {
    if (!path.n)
      return false;
    ho_str wanted = last_name(&pattern), name = last_name(&path);
    if (!matches_name(name, wanted))
      return false;
  }
  return true;
}

/* Patterns that start with '!' exclude names; they come first. */
bool ho_recognise_name(const ho_format *format, ho_str path)
{
  ho_str rest = ho_str_of(format->file_names), pattern;
  while (format->file_names && ho_str_next(&rest, '|', &pattern)) {
    bool excluded = ho_str_starts(pattern, "!");
    if (matches_path(path, ho_str_sub(pattern, excluded, pattern.n)))
      return !excluded;
  }
  return false;
}

/* Does one of the formats exclude this name? */
static bool is_excluded(ho_str path)
{
  for (const ho_format *const *format = ho_formats; *format; format++) {
    ho_str rest = ho_str_of((*format)->file_names), pattern;
    while (ho_str_next(&rest, '|', &pattern) && ho_str_starts(pattern, "!"))
      if (matches_path(path, ho_str_sub(pattern, 1, pattern.n)))
        return true;
  }
  return false;
}

const ho_format *ho_recognise_path(ho_str path)
{
  for (const ho_format *const *format = ho_formats; *format; format++)
    if (ho_recognise_name(*format, path))
      return *format;
  return NULL;
}

const ho_format *ho_recognise_path_only(ho_str path)
{
  const ho_format *found = ho_recognise_path(path);
  for (const ho_format *const *format = ho_formats; found && found->wrapper && *format; format++)
    if (*format != found && (*format)->wrapper && strcmp((*format)->wrapper, found->wrapper) == 0)
      return NULL;
  return found;
}

/* Is the first line YAML: `key:` or `- item` before any Markdown? */
static bool starts_like_yaml(ho_str text)
{
  ho_str line;
  while (ho_str_next_line(&text, &line)) {
    if (ho_str_blank(line) || line.p[0] == '#' || ho_str_is(line, "---"))
      continue;
    size_t n = 0;
    while (n < line.n && (isalnum((unsigned char)line.p[n]) || line.p[n] == '_' || line.p[n] == '-'))
      n++;
    return n && n < line.n && line.p[n] == ':' && (n + 1 == line.n || line.p[n + 1] == ' ');
  }
  return false;
}

ho_encoding ho_recognise_encoding(ho_str path, ho_str text, const ho_format *format)
{
  ho_encoding encoding;
  ho_str name = last_name(&path);
  size_t dot = name.n;
  while (dot && name.p[dot - 1] != '.')
    dot--;
  if (dot && ho_encoding_named(ho_str_sub(name, dot, name.n), &encoding))
    return encoding;
  ho_str start = ho_str_trim(ho_str_starts(text, "\xEF\xBB\xBF") ? ho_str_sub(text, 3, text.n) : text);
  bool comment = ho_str_starts(start, "//") || ho_str_starts(start, "/*");
  if (start.n && (start.p[0] == '{' || start.p[0] == '[' || (comment && format && format->encoding == HO_JSON)))
    return HO_JSON;
  bool titled = (ho_str_starts(start, "# ") || (format && ho_str_starts(start, "## "))) &&
                !ho_str_starts(start, "# yaml-language-server:") && (!format || format->read_markdown);
  /* "# …" is a title in Markdown and a comment in YAML: the format's own encoding decides, or a fence further down. */
  bool page = titled && format && (format->encoding == HO_MARKDOWN || ho_str_has(start, "\n```"));
  bool front = ho_str_starts(start, "---") && format && format->encoding == HO_MARKDOWN;
  if (starts_like_yaml(start) && !page && !front)
    return HO_YAML;
  return titled || !format || format->encoding == HO_JSON ? HO_MARKDOWN : format->encoding;
}

ho_node *ho_recognise_wrapped(const ho_format *format, const ho_node *raw)
{
  if (!format->wrapper || !ho_node_is(raw, HO_KIND_MAP))
    return NULL;
  HO_EACH (child, raw)
    if (child->kind == HO_KIND_MAP &&
        (ho_str_is(child->key, format->wrapper) || ho_str_list_has(format->wrapper_aliases, child->key)))
      return child;
  return NULL;
}

/* A key also counts if `fix` has moved its value aside, as x_KEY: the document is still of the same format. */
static bool has_one_of(const ho_node *map, const char *keys)
{
  HO_EACH_CONST (child, map)
    if (ho_str_list_has(keys, ho_str_sub(child->key, ho_str_starts(child->key, "x_") ? 2 : 0, child->key.n)))
      return true;
  return false;
}

bool ho_recognise_marks(const ho_format *format, const ho_node *map)
{
  if (!format->marks || !ho_node_is(map, HO_KIND_MAP))
    return false;
  for (const char *const *keys = format->marks; *keys; keys++) {
    bool excluded = **keys == '!';
    if (has_one_of(map, *keys + excluded) == excluded)
      return false;
  }
  return true;
}

const ho_format *ho_recognise_tree(const ho_node *raw)
{
  const ho_format *by_wrapper = NULL;
  for (const ho_format *const *format = ho_formats; *format; format++) {
    const ho_node *inside = ho_recognise_wrapped(*format, raw);
    if (ho_recognise_marks(*format, inside ? inside : raw))
      return *format;
    if (inside)
      by_wrapper = *format;
  }
  return by_wrapper;
}

const ho_format *ho_recognise_markdown(const ho_source *source, const ho_md *md)
{
  if (is_excluded(source->path))
    return NULL;
  for (const ho_format *const *format = ho_formats; *format; format++)
    if ((*format)->looks_like && (*format)->looks_like(source, md))
      return *format;
  return NULL;
}

enum { START = 4096 }; /* of a broken text */

/* Is one of the keys at the top level: at the beginning of a line of YAML, or in quotes in JSON? */
static bool tells_one_of(ho_str text, const char *keys, bool json)
{
  ho_str line;
  while (ho_str_next_line(&text, &line)) {
    ho_str rest = json ? ho_str_trim(line) : line;
    for (; json && rest.n && strchr("{[, \t", rest.p[0]); rest = ho_str_sub(rest, 1, rest.n))
      ;
    size_t colon = ho_str_find_char(rest, ':');
    if (colon == HO_NONE)
      continue;
    ho_str key = ho_str_trim(ho_str_sub(rest, 0, colon));
    if (key.n > 1 && key.p[0] == '"' && key.p[key.n - 1] == '"')
      key = ho_str_sub(key, 1, key.n - 1);
    if (rest.p[0] != ' ' && ho_str_list_has(keys, key))
      return true;
  }
  return false;
}

static bool tells_format(const ho_format *format, ho_str start, bool json)
{
  if (format->wrapper && tells_one_of(start, format->wrapper, json))
    return true;
  if (!format->marks || format->encoding == HO_MARKDOWN)
    return false;
  size_t groups = 0;
  for (const char *const *keys = format->marks; *keys; keys++) {
    if (**keys != '!' && !tells_one_of(start, *keys, json))
      return false;
    groups += **keys != '!';
  }
  return groups > 1; /* a single common key is not enough */
}

bool ho_recognise_broken(ho_str path, ho_str text)
{
  ho_encoding encoding = ho_recognise_encoding(path, text, NULL);
  if (encoding == HO_MARKDOWN)
    return false;
  for (last_name(&path); path.n;)
    if (ho_str_list_has("specs|.project|.handoff", last_name(&path)))
      return true;
  for (const ho_format *const *format = ho_formats; *format; format++)
    if (tells_format(*format, ho_str_sub(text, 0, START), encoding == HO_JSON))
      return true;
  return false;
}
