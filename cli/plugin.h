/* plugin.h: models from shared libraries; the only part of the program that loads any. */

#ifndef CLI_PLUGIN_H
#define CLI_PLUGIN_H

#include <stdbool.h>

/* Registers the models of a file. False when it was complained about. */
bool plugin_load(const char *path);

#endif
