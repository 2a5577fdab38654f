/* Which encoding and which format a text has: by its name, then by its content. */
#ifndef HO_MODEL_DOCUMENT_RECOGNISE_H
#define HO_MODEL_DOCUMENT_RECOGNISE_H

#include "model/format.h"

/* The format whose file name patterns match the path, or NULL. */
const ho_format *ho_recognise_path(ho_str path);
/* The same, for whoever reads the document next: NULL if its content has to decide between formats under one wrapper
 * (HO-001.yaml is a package or a gate). */
const ho_format *ho_recognise_path_only(ho_str path);
/* By extension; if that says nothing, by the first bytes; else the format's own. */
ho_encoding ho_recognise_encoding(ho_str path, ho_str text, const ho_format *format);
/* By the keys of a JSON or YAML document, or NULL. */
const ho_format *ho_recognise_tree(const ho_node *raw);
/* By its headings, or NULL; also NULL for a name that a format excludes ("…-details.md"). */
const ho_format *ho_recognise_markdown(const ho_source *source, const ho_md *md);
/* Do the format's own file name patterns match the path? Does the map have the keys that mark the format? */
bool ho_recognise_name(const ho_format *format, ho_str path);
bool ho_recognise_marks(const ho_format *format, const ho_node *map);
/* Is a JSON or YAML text that cannot be read meant to be a handoff document? By its folder (specs, .project, .handoff),
 * or by top-level keys near its start: a wrapper, or all that mark a format. */
bool ho_recognise_broken(ho_str path, ho_str text);
/* The map under the format's wrapper key, or NULL if there is none. */
ho_node *ho_recognise_wrapped(const ho_format *format, const ho_node *raw);
#endif
