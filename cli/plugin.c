/* plugin.c: see plugin.h. What is loaded stays until the program ends. */

#include "plugin.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <throng/model.h>

#include "messages.h"
#include "text.h"

bool plugin_load(const char *path) {
    /* without a slash the system would look elsewhere */
    char *file = text_format("%s%s", strchr(path, '/') ? "" : "./", path);
    void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    free(file);
    if (!library) {
        complain("%s: it cannot be loaded: %s", path, dlerror());
        return false;
    }
    throng_error error = {0};
    const throng_plugin_def *plugin = dlsym(library, "throng_plugin");
    if (!plugin) {
        complain("%s: it is no plug-in: it has no throng_plugin (see THRONG_PLUGIN in throng/model.h)", path);
        return false;
    }
    if (throng_register_plugin(plugin, &error)) return true;
    complain("%s: %s", path, error.text);
    return false;
}
