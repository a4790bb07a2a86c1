/* Folding findings. */
#include "fold.h"

#include <stdio.h>
#include <string.h>

void vxbi_fold_clear(struct vxbi_fold *fold)
{
    for (uint32_t i = 0; i < fold->count; i++)
        vxbi_delete(&fold->allocator, fold->entries[i], 1, sizeof *fold->entries[i]);
    vxbi_delete(&fold->allocator, fold->entries, fold->room, sizeof *fold->entries);
    *fold = (struct vxbi_fold){.allocator = fold->allocator};
}

static bool digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Whether two pointers name the same kind of place: equal but for the numbers in them. */
static bool same_kind(const char *a, const char *b)
{
    while (*a || *b) {
        if (digit(*a) && digit(*b)) {
            while (digit(*a))
                a++;
            while (digit(*b))
                b++;
        } else if (*a++ != *b++) {
            return false;
        }
    }
    return true;
}

static struct vxbi_fold_entry *find(const struct vxbi_fold *fold, const struct vxbi_found *found)
{
    for (uint32_t i = 0; i < fold->count; i++) {
        struct vxbi_fold_entry *entry = fold->entries[i];
        if (entry->record.finding == found->finding && entry->record.severity == found->severity &&
            same_kind(entry->pointer, found->pointer))
            return entry;
    }
    return NULL;
}

static struct vxbi_fold_entry *append(struct vxbi_fold *fold)
{
    if (fold->count == fold->room) {
        uint32_t room = fold->room ? 2 * fold->room : 16;
        struct vxbi_fold_entry **entries = vxbi_resize(&fold->allocator, fold->entries, fold->room, room,
                                                       sizeof *entries);
        if (!entries)
            return NULL;
        fold->entries = entries;
        fold->room = room;
    }
    struct vxbi_fold_entry *entry = vxbi_new_zero(&fold->allocator, 1, sizeof *entry);
    if (entry)
        fold->entries[fold->count++] = entry;
    return entry;
}

/* Files without an offset go last. */
static uint64_t key(bool has_offset, uint64_t offset)
{
    return has_offset ? offset : UINT64_MAX;
}

static void put(struct vxbi_fold *fold, const struct vxbi_found *found, uint64_t count)
{
    struct vxbi_fold_entry *entry = find(fold, found);
    fold->totals[found->severity] += count;
    if (entry) {
        uint64_t was = key(entry->record.has_offset, entry->record.offset), is = key(found->has_offset, found->offset);
        entry->record.count += count;
        if (is > was || (is == was && found->ordinal >= entry->ordinal))
            return;
    } else {
        entry = append(fold);
        if (!entry) {
            fold->out_of_memory = true;
            return;
        }
        entry->record.count = count;
    }
    snprintf(entry->pointer, sizeof entry->pointer, "%s", found->pointer);
    snprintf(entry->message, sizeof entry->message, "%s", found->message);
    entry->ordinal = found->ordinal;
    entry->record = (struct vxb_finding_record){.finding = found->finding,
                                                .severity = found->severity,
                                                .message = entry->message,
                                                .pointer = entry->pointer,
                                                .has_offset = found->has_offset,
                                                .offset = found->offset,
                                                .count = entry->record.count};
}

void vxbi_fold_add(void *user, const struct vxbi_found *found)
{
    put(user, found, 1);
}

void vxbi_fold_merge(struct vxbi_fold *into, const struct vxbi_fold *from)
{
    into->out_of_memory = into->out_of_memory || from->out_of_memory;
    for (uint32_t i = 0; i < from->count; i++) {
        const struct vxbi_fold_entry *e = from->entries[i];
        const struct vxbi_found found = {e->record.finding, e->record.severity, e->record.has_offset,
                                         e->record.offset,  e->ordinal,         e->pointer,
                                         e->message};
        put(into, &found, e->record.count);
    }
}

int vxbi_fold_compare(const struct vxbi_fold_entry *x, const struct vxbi_fold_entry *y)
{
    uint64_t kx = key(x->record.has_offset, x->record.offset), ky = key(y->record.has_offset, y->record.offset);
    if (kx != ky)
        return kx < ky ? -1 : 1;
    if (x->record.finding != y->record.finding)
        return x->record.finding < y->record.finding ? -1 : 1;
    return strcmp(x->pointer, y->pointer);
}
