/* Folders walked for files to check.
 *
 * Invariant: whatever is under a folder is a place to check, a place with a failure, a folder that was entered, or
 * counted as skipped: nothing is passed over in silence. */
#if defined(HAVE_CONFIG_H)
#include "config.h"
#endif
#include "verify_files.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <sys/types.h>

/* A folder that waits to be entered. */
struct folder {
    char *path;
    dev_t device;
    ino_t inode;
};

struct queue {
    struct folder *folders;
    size_t count, room, entered;
};

/* Folders that links lead to wait until no other does, so that a file is told by its own path where it has one here. */
struct walk {
    struct verify_files *files;
    struct queue own, linked;
    struct folder *seen; /* entered, by hash; path is NULL where the place is free */
    size_t seen_count, seen_room;
    bool no_memory;
};

static bool ours(const char *name)
{
    static const char *const endings[] = {".vxg", ".ktx2", ".vxp"};
    size_t size = strlen(name);
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
        size_t length = strlen(endings[i]);
        if (size > length && strcasecmp(name + size - length, endings[i]) == 0)
            return true;
    }
    return false;
}

static char *copy(const char *text)
{
    size_t size = strlen(text) + 1;
    char *to = malloc(size);
    return to ? memcpy(to, text, size) : NULL;
}

static char *join(const char *folder, const char *name)
{
    size_t room = strlen(folder) + strlen(name) + 2;
    char *to = malloc(room);
    bool slash = folder[0] && folder[strlen(folder) - 1] == '/';
    if (to)
        snprintf(to, room, "%s%s%s", folder, slash ? "" : "/", name);
    return to;
}

/* Room for one more element; the array, NULL where there is no memory. */
static void *grow(void *array, size_t count, size_t *room, size_t size)
{
    if (count < *room)
        return array;
    size_t more = *room ? 2 * *room : 16;
    void *grown = more > SIZE_MAX / 2 / size ? NULL : realloc(array, more * size);
    if (grown)
        *room = more;
    return grown;
}

/* Takes path. failure: NULL for a file to check. */
static void add(struct walk *walk, char *path, const char *failure)
{
    struct verify_files *files = walk->files;
    char *why = failure ? copy(failure) : NULL;
    struct verify_place *places = grow(files->places, files->count, &files->room, sizeof *places);
    if (places)
        files->places = places;
    if (places && path && (why || !failure)) {
        places[files->count++] = (struct verify_place){path, why};
        return;
    }
    free(path);
    free(why);
    walk->no_memory = true;
}

static void add_failure(struct walk *walk, const char *path, const char *verb, int reason)
{
    char text[256];
    snprintf(text, sizeof text, "cannot %s: %s", verb, strerror(reason));
    add(walk, copy(path), text);
}

/* Takes path. */
static void add_folder(struct walk *walk, struct queue *queue, char *path, const struct stat *st)
{
    struct folder *folders = path ? grow(queue->folders, queue->count, &queue->room, sizeof *folders) : NULL;
    if (folders) {
        queue->folders = folders;
        folders[queue->count++] = (struct folder){path, st->st_dev, st->st_ino};
    } else {
        free(path);
        walk->no_memory = true;
    }
}

/* The place of a folder in seen, or the free one where it would be. */
static struct folder *place_of(struct folder *seen, size_t room, const struct folder *folder)
{
    size_t at = ((size_t)folder->inode * 2654435761u + (size_t)folder->device) & (room - 1);
    while (seen[at].path && (seen[at].device != folder->device || seen[at].inode != folder->inode))
        at = (at + 1) & (room - 1);
    return &seen[at];
}

/* Whether it was entered before; else it counts as entered from now on. The path stays the queue's. */
static bool was_entered(struct walk *walk, const struct folder *folder)
{
    if (2 * (walk->seen_count + 1) > walk->seen_room) {
        size_t room = walk->seen_room ? 2 * walk->seen_room : 64;
        struct folder *seen = calloc(room, sizeof *seen);
        if (!seen) {
            walk->no_memory = true;
            return true;
        }
        for (size_t i = 0; i < walk->seen_room; i++)
            if (walk->seen[i].path)
                *place_of(seen, room, &walk->seen[i]) = walk->seen[i];
        free(walk->seen);
        walk->seen = seen;
        walk->seen_room = room;
    }
    struct folder *place = place_of(walk->seen, walk->seen_room, folder);
    if (place->path)
        return true;
    *place = *folder;
    walk->seen_count++;
    return false;
}

/* Takes path, the name's place under its folder. */
static void look_at(struct walk *walk, char *path, const char *name)
{
    struct stat st, own;
    int reason = !path || stat(path, &st) == 0 ? 0 : errno;
    bool link = path && lstat(path, &own) == 0 && S_ISLNK(own.st_mode);
    if (!path) {
        walk->no_memory = true;
    } else if (!reason && S_ISDIR(st.st_mode)) {
        add_folder(walk, link ? &walk->linked : &walk->own, path, &st);
    } else if (ours(name) && !reason && S_ISREG(st.st_mode) && vxb_texture_is_other(NULL, path)) {
        walk->files->skipped++;
        free(path);
    } else if (ours(name)) {
        /* What can't be looked at is told by the check, which tries to read it. */
        bool readable = reason || S_ISREG(st.st_mode);
        add(walk, path, readable ? NULL : "this is not a regular file, and in folders only those are read");
    } else if (reason && !(link && reason != EACCES)) {
        add_failure(walk, path, "look at", reason);
        free(path);
    } else {
        /* A link to nowhere is skipped as a file of its name would be. */
        walk->files->skipped++;
        free(path);
    }
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The names in a folder, sorted, so that what is found does not depend on the file system. Returns an errno. */
static int read_names(DIR *folder, char ***names, size_t *count)
{
    size_t room = 0;
    const struct dirent *entry;
    while (errno = 0, (entry = readdir(folder))) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        char **grown = grow(*names, *count, &room, sizeof *grown);
        if (!grown || !((*names = grown)[*count] = copy(entry->d_name)))
            return ENOMEM;
        ++*count;
    }
    int reason = errno;
    if (*count)
        qsort(*names, *count, sizeof **names, compare_names);
    return reason;
}

static void enter(struct walk *walk, const char *path)
{
    char **names = NULL;
    size_t count = 0;
    DIR *folder = opendir(path);
    int reason = folder ? read_names(folder, &names, &count) : errno;
    walk->no_memory = walk->no_memory || reason == ENOMEM;
    for (size_t i = 0; i < count && !walk->no_memory; i++)
        look_at(walk, join(path, names[i]), names[i]);
    if (reason && !walk->no_memory)
        add_failure(walk, path, "read the folder", reason);
    for (size_t i = 0; i < count; i++)
        free(names[i]);
    free(names);
    if (folder)
        closedir(folder);
}

static void clear(struct queue *queue)
{
    for (size_t i = 0; i < queue->count; i++)
        free(queue->folders[i].path);
    free(queue->folders);
}

static int compare(const void *a, const void *b)
{
    const struct verify_place *x = a, *y = b;
    return strcmp(x->path, y->path);
}

static void enter_all(struct walk *walk)
{
    while (!walk->no_memory && !cli_stopped()) {
        struct queue *queue = walk->own.entered < walk->own.count ? &walk->own : &walk->linked;
        if (queue->entered == queue->count)
            break;
        const struct folder folder = queue->folders[queue->entered++];
        if (!was_entered(walk, &folder))
            enter(walk, folder.path);
    }
}

static void walk_folder(struct verify_files *files, const char *operand, const struct stat *st, bool *no_memory)
{
    struct walk walk = {.files = files};
    const size_t first = files->count;
    const uint64_t skipped = files->skipped;
    add_folder(&walk, &walk.own, copy(operand), st);
    enter_all(&walk);
    clear(&walk.own);
    clear(&walk.linked);
    free(walk.seen);
    *no_memory = walk.no_memory;
    if (files->count > first) {
        qsort(files->places + first, files->count - first, sizeof *files->places, compare);
    } else if (!walk.no_memory && !cli_stopped()) {
        cli_error("%s: nothing to check: a folder stands for the .vxg, .vxp and .ktx2 files under it, textures of "
                  "other kinds apart; of %s under it none is one",
                  cli_clean(operand), cli_counted(files->skipped - skipped, "file"));
        files->empty = true;
    }
}

int verify_files_find(const char *const *operands, size_t count, struct verify_files *out)
{
    bool no_memory = false;
    *out = (struct verify_files){0};
    for (size_t i = 0; i < count && !no_memory; i++) {
        struct stat st;
        if (strcmp(operands[i], "-") != 0 && stat(operands[i], &st) == 0 && S_ISDIR(st.st_mode)) {
            out->folders = true;
            walk_folder(out, operands[i], &st, &no_memory);
        } else {
            struct walk walk = {.files = out};
            add(&walk, copy(operands[i]), NULL);
            no_memory = walk.no_memory;
        }
    }
    if (!no_memory)
        return CLI_EXIT_OK;
    verify_files_clear(out);
    return cli_out_of_memory();
}

void verify_files_clear(struct verify_files *files)
{
    for (size_t i = 0; i < files->count; i++) {
        free(files->places[i].path);
        free(files->places[i].failure);
    }
    free(files->places);
    *files = (struct verify_files){0};
}
