/* The transcript readers of the harnesses, and which of them applies. */
#include "engine/context/transcript_parts.h"

/* clang-format off */
static const ho_transcript_form *const forms[] = {
#define X(name, title, synonyms, started) &ho_transcript_##name,
    HO_HARNESSES_READ(X, X, X)
#undef X
};
/* clang-format on */

const ho_transcript_form *ho_transcript_form_of(const ho_harness *harness)
{
  for (size_t i = 0; i < HO_COUNT(forms); i++)
    if (forms[i]->harness == harness)
      return forms[i];
  return NULL;
}

const ho_transcript_form *ho_transcript_document(const ho_reader *reader, const ho_harness *harness)
{
  for (size_t i = 0; i < HO_COUNT(forms); i++)
    if ((!harness || forms[i]->harness == harness) && forms[i]->is_document && forms[i]->is_document(reader))
      return forms[i];
  return NULL;
}

static const ho_transcript_form *owner(const ho_node *entry)
{
  for (size_t i = 0; i < HO_COUNT(forms); i++)
    if (forms[i]->owns(entry))
      return forms[i];
  return NULL;
}

void ho_transcript_take(ho_scan *scan, const ho_node *entry, int64_t end, ho_arena *arena)
{
  const ho_transcript_form *form = scan->harness ? ho_transcript_form_of(scan->harness) : owner(entry);
  if (!form)
    return;
  scan->harness = form->harness;
  form->take(scan, entry, end, arena);
}

bool ho_transcript_marked(const ho_harness *harness, ho_str line)
{
  const ho_transcript_form *form = ho_transcript_form_of(harness);
  for (size_t i = 0; form && i < HO_COUNT(form->marks) && form->marks[i]; i++)
    if (memmem(line.p, line.n, form->marks[i], strlen(form->marks[i])))
      return true;
  return !form;
}

const ho_node *ho_transcript_said(const ho_node *entry)
{
  const ho_node *said = NULL;
  for (size_t i = 0; !said && i < HO_COUNT(forms); i++)
    said = forms[i]->said(entry);
  return said;
}

const ho_node *ho_transcript_asked(const ho_node *entry)
{
  const ho_node *asked = NULL;
  for (size_t i = 0; !asked && i < HO_COUNT(forms); i++)
    asked = forms[i]->asked(entry);
  return asked;
}
