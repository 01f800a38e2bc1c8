/* SPDX-License-Identifier: MIT */
/* tacho's documents, where they are installed with the command. */
#ifndef CLI_DOCUMENTS_H
#define CLI_DOCUMENTS_H

/* The folder that has docs/ in it; NULL when none is installed beside the command. Freed by caller.
 */
char *cli_documents_find(void);

/*
 * TEXT, in which "docs/NAME.md" has the folder before it where that file is installed; else a copy
 * of it. Freed by the caller.
 */
char *cli_documents_place(const char *text);

#endif
