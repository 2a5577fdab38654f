/* Checks the document named and prints its findings: cc check.c $(pkg-config --cflags --libs handoff) */
#include <handoff.h>
#include <stdio.h>
#include <stdlib.h>

static char *load(const char *path, size_t *length)
{
  static char text[1 << 20];
  FILE *file = fopen(path, "rb");
  if (!file)
    return NULL;
  *length = fread(text, 1, sizeof text, file);
  fclose(file);
  return text;
}

int main(int argc, char **argv)
{
  handoff_document *document;
  handoff_error error;
  size_t length, i;
  char *text = argc == 2 ? load(argv[1], &length) : NULL;
  if (!text) {
    fprintf(stderr, "usage: check FILE\n");
    return 2;
  }
  if (handoff_document_parse(&document, argv[1], text, length, NULL, &error)) {
    fprintf(stderr, "%s:%u:%u: %s\n", error.file, error.line, error.column, error.message);
    return (int)error.status;
  }
  handoff_status status = handoff_document_check(document, 0, &error);
  for (i = 0; i < handoff_document_finding_count(document); i++) {
    handoff_finding finding = handoff_document_finding_at(document, i);
    printf("%u:%u: [%s] %s: %s\n", finding.line, finding.column, finding.rule, finding.pointer, finding.message);
  }
  printf("%s: %s\n", handoff_document_format(document), status == HANDOFF_OK ? "fine" : "breaks a rule");
  handoff_document_free(document);
  return (int)status;
}
