/* hold_store DATABASE LOCK: keeps the writers' queue (both bytes of the lock file, unless that is -) and the database
 * itself, exclusively, until its standard input ends. Prints a line once it has them. */
#include <fcntl.h>
#include <sqlite3.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv)
{
  sqlite3 *db = NULL;
  struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_len = 2};
  if (argc != 3)
    return fprintf(stderr, "usage: hold_store DATABASE LOCK\n"), 2;
  bool queue = strcmp(argv[2], "-") != 0;
  int fd = queue ? open(argv[2], O_RDWR | O_CREAT | O_CLOEXEC, 0666) : -1;
  if (queue && (fd < 0 || fcntl(fd, F_OFD_SETLKW, &lock) != 0))
    return perror(argv[2]), 1;
  if (sqlite3_open_v2(argv[1], &db, SQLITE_OPEN_READWRITE, NULL) || sqlite3_exec(db, "BEGIN EXCLUSIVE", 0, 0, NULL))
    return fprintf(stderr, "%s: %s\n", argv[1], sqlite3_errmsg(db)), 1;
  puts("held");
  fflush(stdout);
  while (getchar() != EOF)
    ;
  sqlite3_close(db);
  if (queue)
    close(fd);
  return 0;
}
