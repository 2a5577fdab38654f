#include "store/sql.h"

static const char *const texts[] = {
#define X(name, text) text,
    HO_STATEMENTS(X)
#undef X
};

const char *ho_sql_text(ho_sql statement)
{
  return texts[statement];
}
