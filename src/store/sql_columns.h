/* The columns of a table, written once: what statements and structs need to know of them follows from the list.
 *
 * A list has an entry X(number, kind, column, field, role, …) for each column, the last one LAST(…).
 *   number  its place in the list, from 1 (sql.c checks it): in rows, in what ho_columns_give fills, as parameter ($1, …)
 *   kind    TEXT, NUMBER, or the closed set whose word it holds (store/columns.h)
 *   field   of the struct
 *   role    FIXED: set when the row is added, never updated. CHANGED: also set by updates. A table may define further
 *           roles for columns whose first value is computed by SQL (HO_VALUE_ROLE gives it, HO_SET_ROLE its update)
 * In an update the parameters of FIXED columns are free: except the key's, they carry what must still hold. A new column
 * comes at the end, with the next number, and is CHANGED; no statement has to be written again. */
#ifndef HO_STORE_SQL_COLUMNS_H
#define HO_STORE_SQL_COLUMNS_H

/* "id, seq, kind" */
#define HO_NAMES(COLUMNS) COLUMNS(HO_COLUMN_NAME, HO_COLUMN_LAST_NAME)
#define HO_COLUMN_NAME(n, kind, column, ...) #column ", "
#define HO_COLUMN_LAST_NAME(n, kind, column, ...) #column

/* "$1, $2, $3" */
#define HO_VALUES(COLUMNS) COLUMNS(HO_COLUMN_VALUE, HO_COLUMN_LAST_VALUE)
#define HO_COLUMN_VALUE(n, kind, column, field, role, ...) HO_VALUE_##role(n) ", "
#define HO_COLUMN_LAST_VALUE(n, kind, column, field, role, ...) HO_VALUE_##role(n)
#define HO_VALUE_FIXED(n) "$" #n
#define HO_VALUE_CHANGED(n) "$" #n

/* "state = $13, receiver = $14": what is CHANGED, and the last column is. */
#define HO_SETS(COLUMNS) COLUMNS(HO_COLUMN_SET, HO_COLUMN_LAST_SET)
#define HO_COLUMN_SET(n, kind, column, field, role, ...) HO_SET_##role(n, column, ", ")
#define HO_COLUMN_LAST_SET(n, kind, column, field, role, ...) HO_SET_##role(n, column, "")
#define HO_SET_FIXED(n, column, end)
#define HO_SET_CHANGED(n, column, end) #column " = $" #n end

/* How many there are. */
#define HO_WIDTH(COLUMNS) (0 COLUMNS(HO_COLUMN_ONE, HO_COLUMN_ONE))
#define HO_COLUMN_ONE(...) +1
#endif
