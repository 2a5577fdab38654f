#include "doc/json/json.h"

/* The length of the character at `at` if it must be escaped: 1, or 3 for U+2028 and U+2029; else 0. */
static size_t to_escape(ho_str text, size_t at)
{
  unsigned char c = (unsigned char)text.p[at];
  if (c < 0x20 || c == '"' || c == '\\' || c == 0x7F)
    return 1;
  if (c == 0xE2 && at + 2 < text.n && text.p[at + 1] == '\x80' &&
      (text.p[at + 2] == '\xA8' || text.p[at + 2] == '\xA9'))
    return 3;
  return 0;
}

static void write_escaped(ho_buf *out, ho_str character)
{
  static const char letters[] = "\"\\bfnrt", meanings[] = "\"\\\b\f\n\r\t";
  char c = character.p[0];
  const char *meaning = c ? strchr(meanings, c) : NULL;
  if (character.n == 3)
    ho_buf_puts(out, character.p[2] == '\xA8' ? "\\u2028" : "\\u2029");
  else if (meaning)
    ho_buf_put(out, (ho_str){(char[]){'\\', letters[meaning - meanings]}, 2});
  else
    ho_buf_printf(out, "\\u%04x", (unsigned)c);
}

void ho_json_write_text(ho_buf *out, ho_str text)
{
  size_t done = 0, n;
  ho_buf_putc(out, '"');
  for (size_t at = 0; at < text.n; at += n ? n : 1) {
    n = to_escape(text, at);
    if (!n)
      continue;
    ho_buf_put(out, ho_str_sub(text, done, at));
    write_escaped(out, ho_str_sub(text, at, at + n));
    done = at + n;
  }
  ho_buf_put(out, ho_str_sub(text, done, text.n));
  ho_buf_putc(out, '"');
}

/* Takes the digits off the front of *rest. */
static ho_str take_digits(ho_str *rest)
{
  ho_str digits = {rest->p, 0};
  while (digits.n < rest->n && isdigit((unsigned char)rest->p[digits.n]))
    digits.n++;
  *rest = ho_str_sub(*rest, digits.n, rest->n);
  return digits;
}

/* 0x1F and 0o17, as YAML has them. */
static bool write_based(ho_buf *out, ho_str number)
{
  int base = ho_str_starts(number, "0x") ? 16 : ho_str_starts(number, "0o") ? 8 : 0;
  uint64_t value = 0;
  if (!base || number.n == 2)
    return false;
  for (size_t i = 2; i < number.n; i++) {
    char c = number.p[i];
    int digit = isdigit((unsigned char)c) ? c - '0' : isxdigit((unsigned char)c) ? (c | 32) - 'a' + 10 : base;
    if (digit >= base || value > (UINT64_MAX - (uint64_t)digit) / (uint64_t)base)
      return false;
    value = value * (uint64_t)base + (uint64_t)digit;
  }
  ho_buf_printf(out, "%llu", (unsigned long long)value);
  return true;
}

/* Numbers are kept as written, and YAML allows some that JSON does not: +1, 007, .5, 1., 0x1F. Those are converted
 * to JSON's form; those that have none (.inf, .nan) become text. */
static void write_number(ho_buf *out, ho_str number)
{
  ho_str rest = number;
  bool minus = ho_str_starts(rest, "-");
  if (minus || ho_str_starts(rest, "+"))
    rest = ho_str_sub(rest, 1, rest.n);
  ho_str whole = take_digits(&rest), fraction = HO_EMPTY, digits = HO_EMPTY;
  if (ho_str_starts(rest, ".")) {
    rest = ho_str_sub(rest, 1, rest.n);
    fraction = take_digits(&rest);
  }
  bool exponent = ho_str_starts_nocase(rest, "e");
  ho_str power = rest;
  if (exponent) {
    rest = ho_str_sub(rest, ho_str_starts_nocase(rest, "e+") || ho_str_starts_nocase(rest, "e-") ? 2 : 1, rest.n);
    digits = take_digits(&rest);
  }
  if (rest.n || whole.n + fraction.n == 0 || (exponent && digits.n == 0)) {
    if (!write_based(out, number))
      ho_json_write_text(out, number);
    return;
  }
  while (whole.n > 1 && whole.p[0] == '0')
    whole = ho_str_sub(whole, 1, whole.n);
  ho_buf_puts(out, minus ? "-" : "");
  ho_buf_put(out, whole.n ? whole : HO_STR("0"));
  ho_buf_puts(out, fraction.n ? "." : "");
  ho_buf_put(out, fraction);
  ho_buf_put(out, power);
}

static void write_scalar(ho_buf *out, const ho_node *node)
{
  if (ho_node_absent(node))
    ho_buf_puts(out, "null");
  else if (node->kind == HO_KIND_BOOL)
    ho_buf_puts(out, ho_node_true(node) ? "true" : "false");
  else if (node->kind == HO_KIND_NUMBER)
    write_number(out, node->text);
  else
    ho_json_write_text(out, node->text);
}

static void new_line(ho_buf *out, unsigned indent, size_t level)
{
  if (indent == 0)
    return;
  ho_buf_putc(out, '\n');
  ho_buf_fill(out, ' ', indent * level);
}

/* Recursion is as deep as the tree, whose depth its reader limited. */
static void write_node(ho_buf *out, const ho_node *node, unsigned indent, size_t level)
{
  bool map = ho_node_is(node, HO_KIND_MAP);
  if (!map && !ho_node_is(node, HO_KIND_LIST)) {
    write_scalar(out, node);
    return;
  }
  ho_buf_putc(out, map ? '{' : '[');
  HO_EACH_CONST (child, node) {
    if (child != node->first)
      ho_buf_putc(out, ',');
    new_line(out, indent, level + 1);
    if (map) {
      ho_json_write_text(out, child->key);
      ho_buf_puts(out, indent ? ": " : ":");
    }
    write_node(out, child, indent, level + 1);
  }
  if (node->first)
    new_line(out, indent, level);
  ho_buf_putc(out, map ? '}' : ']');
}

void ho_json_write(ho_buf *out, const ho_node *node, unsigned indent)
{
  write_node(out, node, indent, 0);
}
