/* Output for somebody who sits at a terminal: more than a screen goes to a pager, and --watch shows it again and again. */
#ifndef HO_SURFACE_CLI_SCREEN_H
#define HO_SURFACE_CLI_SCREEN_H

#include "base/str.h"

/* Is the text higher than the terminal of standard output, is a person there to turn pages, and is there a pager?
 * HANDOFF_PAGER, else PAGER, else less; HANDOFF_PAGER=cat or an empty one turns it off. Agents never get one: they would
 * wait in it. */
bool ho_cli_screen_pages(ho_str text);
/* Shows the text in the pager and waits for it. False if it could not be started: nothing was shown then. */
bool ho_cli_screen_page(ho_str text);
/* Writes over what the screen showed before: as much as fits, without flicker. */
void ho_cli_screen_redraw(ho_str text);
#endif
