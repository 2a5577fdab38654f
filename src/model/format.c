#include "model/format.h"

#include "model/general_rules.h"

#define X(name, id, severity, in_schema, doc, fix) const ho_rule_info ho_rule_##name = {id, severity, doc, fix};
HO_MODEL_RULES(X)
#undef X

const ho_rule_info *const ho_model_rules[] = {
#define X(name, id, severity, in_schema, doc, fix) &ho_rule_##name,
    HO_MODEL_RULES(X)
#undef X
        NULL};

static const char *const encodings[] = {"json", "yaml", "md"};

const char *ho_encoding_name(ho_encoding encoding)
{
  return encodings[encoding];
}

bool ho_encoding_named(ho_str name, ho_encoding *out)
{
  static const char *const spellings[] = {"json", "yaml|yml", "md|markdown"};
  for (size_t i = 0; i < HO_COUNT(spellings); i++)
    if (ho_str_list_has_nocase(spellings[i], name)) {
      *out = (ho_encoding)i;
      return true;
    }
  return false;
}

const ho_format *ho_format_named(ho_str name)
{
  for (const ho_format *const *each = ho_formats; *each; each++)
    if (ho_str_is(name, (*each)->name))
      return *each;
  return NULL;
}

const ho_field *ho_record_field(const ho_record *record, ho_str key, bool *alias)
{
  *alias = false;
  for (const ho_field *field = record->fields; field->name; field++)
    if (ho_str_is(key, field->name))
      return field;
  *alias = true;
  for (const ho_field *field = record->fields; field->name; field++)
    if (ho_str_list_has_nocase(field->aliases, key) || ho_str_is_nocase(key, field->name))
      return field;
  return NULL;
}

const ho_field *ho_record_fieldz(const ho_record *record, const char *name)
{
  bool alias;
  const ho_field *field = ho_record_field(record, ho_str_of(name), &alias);
  return alias ? NULL : field;
}

bool ho_key_is_extra(ho_str key)
{
  return ho_str_starts(key, "x_") || ho_str_starts(key, "$");
}
