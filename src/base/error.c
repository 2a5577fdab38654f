#include "base/error.h"

#include "base/utf8.h"

static const struct {
  const char *name;
  int exit, http;
} codes[] = {
#define X(name, text, exit, http, meaning) {text, exit, http},
    HO_CODES(X)
#undef X
};

const char *ho_code_name(ho_code code)
{
  return codes[code].name;
}

int ho_code_exit(ho_code code)
{
  return codes[code].exit;
}

int ho_code_http(ho_code code)
{
  return codes[code].http;
}

const char *ho_severity_name(ho_severity severity)
{
  static const char *const names[] = {"note", "warning", "error"};
  return names[severity];
}

void ho_error_copy(char *to, size_t size, ho_str s)
{
  size_t n = s.n < size ? s.n : ho_utf8_floor(s, size - 1);
  if (n)
    memcpy(to, s.p, n);
  to[n] = '\0';
}

static void fill(ho_error *err, ho_code code, const char *format, va_list args)
{
  char text[2048];
  *err = (ho_error){.code = code};
  int n = vsnprintf(text, sizeof text, format, args);
  if (n < 0)
    n = 0;
  ho_error_copy(err->message, sizeof err->message, ho_str_of(text));
}

ho_code ho_fail(ho_error *err, ho_code code, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  fill(err, code, format, args);
  va_end(args);
  return code;
}

ho_code ho_fail_file(ho_error *err, ho_code code, ho_str file, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  fill(err, code, format, args);
  va_end(args);
  ho_error_copy(err->file, sizeof err->file, file);
  return code;
}

ho_code ho_fail_memory(ho_error *err)
{
  return ho_fail(err, HO_MEMORY, "out of memory");
}
