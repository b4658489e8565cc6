/* page.h: the files of the web page, which are part of the program (made by cmake/embed_page.cmake from viewer/dist/).
 */

#ifndef CLI_PAGE_H
#define CLI_PAGE_H

#include <stddef.h>

typedef struct page_file {
    const char *name; /* "index.html"; NULL after the last */
    const unsigned char *bytes;
    size_t length;
} page_file;

extern const page_file page_files[];

#endif
