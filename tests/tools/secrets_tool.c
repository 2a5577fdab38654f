/* For tests of redaction: texts that end with a NUL come in by the standard input, and go out without credentials. */
#include <stdio.h>

#include "base/buf.h"
#include "model/secrets/secrets.h"

static void redact(ho_str text)
{
  size_t count = 0;
  ho_arena arena;
  ho_arena_init(&arena, 0);
  ho_str clean = ho_secret_redact(text, &arena, &count);
  fwrite(clean.p, 1, clean.n, stdout);
  putchar(0);
  ho_arena_free(&arena);
}

int main(void)
{
  ho_buf text;
  ho_buf_init(&text, 0);
  for (int c; (c = getchar()) != EOF;) {
    if (c) {
      ho_buf_putc(&text, (char)c);
      continue;
    }
    redact(ho_buf_str(&text));
    ho_buf_reset(&text);
  }
  ho_buf_free(&text);
  return 0;
}
