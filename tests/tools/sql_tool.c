/* sql_tool FILE SQL: changes a database behind the program's back; prints the first column of what is selected. The
 * file is left without a write-ahead log. */
#include <sqlite3.h>
#include <stdio.h>

static int show(void *data, int columns, char **values, char **names)
{
  (void)data;
  (void)names;
  if (columns)
    puts(values[0] ? values[0] : "");
  return 0;
}

int main(int argc, char **argv)
{
  sqlite3 *db = NULL;
  if (argc != 3)
    return fprintf(stderr, "usage: sql_tool FILE SQL\n"), 2;
  int bad = sqlite3_open_v2(argv[1], &db, SQLITE_OPEN_READWRITE, NULL) || sqlite3_exec(db, argv[2], show, NULL, NULL) ||
            sqlite3_exec(db, "PRAGMA wal_checkpoint(TRUNCATE)", NULL, NULL, NULL);
  if (bad)
    fprintf(stderr, "%s\n", sqlite3_errmsg(db));
  sqlite3_close(db);
  return bad;
}
