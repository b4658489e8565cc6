/* plugin.h: models from shared libraries; the only part of the program that loads any. */

#ifndef CLI_PLUGIN_H
#define CLI_PLUGIN_H

#include "text.h"

/* Registers the models of these files. False when one was complained about. */
bool plugins_load(const text_list *paths);

#endif
