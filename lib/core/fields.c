/* A field's bytes as a value, by its type. */
#include "fields.h"

#include <stdio.h>

/* By enum vxbi_field_type. */
static const char *const type_names[] = {"u8",  "i8",  "u16", "u16", "f16", "u32",   "i32",   "u32",
                                         "u32", "f32", "f32", "u32", "u64", "u64",   "u8[4]", "u8[8]",
                                         "u8[12]"};

uint32_t vxbi_field_parts(const struct vxbi_structure_field *field)
{
    return field->type == VXBI_FIELD_VEC3 || field->type == VXBI_FIELD_UVEC3 ? 3 : 1;
}

const char *vxbi_field_type_name(const struct vxbi_structure_field *field)
{
    return type_names[field->type];
}

struct vxbi_value vxbi_field_value(const struct vxbi_structure_field *field, uint32_t part, const uint8_t *bytes)
{
    struct vxbi_value value = {.kind = VXBI_VALUE_UNSIGNED};
    switch (field->type) {
    case VXBI_FIELD_U8: value.u = bytes[0]; break;
    case VXBI_FIELD_I8:
        value.kind = VXBI_VALUE_SIGNED;
        value.i = (int8_t)bytes[0];
        break;
    case VXBI_FIELD_U16:
    case VXBI_FIELD_FLAGS: value.u = vxbi_load_u16(bytes); break;
    case VXBI_FIELD_F16:
        value.kind = VXBI_VALUE_REAL;
        value.f = vxbi_f16_value(vxbi_load_u16(bytes));
        break;
    case VXBI_FIELD_U32:
    case VXBI_FIELD_LIMIT:
    case VXBI_FIELD_ZERO: value.u = vxbi_load_u32(bytes); break;
    case VXBI_FIELD_I32:
        value.kind = VXBI_VALUE_SIGNED;
        value.i = (int32_t)vxbi_load_u32(bytes);
        break;
    case VXBI_FIELD_F32:
    case VXBI_FIELD_VEC3:
        value.kind = VXBI_VALUE_REAL;
        value.f = vxbi_load_f32(bytes + 4 * (size_t)part);
        break;
    case VXBI_FIELD_UVEC3: value.u = vxbi_load_u32(bytes + 4 * (size_t)part); break;
    case VXBI_FIELD_U64: value.u = vxbi_load_u64(bytes); break;
    case VXBI_FIELD_ID:
        value.kind = VXBI_VALUE_ID;
        value.u = vxbi_load_u64(bytes);
        break;
    case VXBI_FIELD_BYTES4:
    case VXBI_FIELD_BYTES8:
    case VXBI_FIELD_BYTES12: value.kind = VXBI_VALUE_BYTES; break;
    }
    return value;
}

bool vxbi_field_words(const struct vxbi_structure_field *field, struct vxbi_value value, char *out, size_t room)
{
    size_t used = 0;
    out[0] = 0;
    if (field->type == VXBI_FIELD_LIMIT && value.u == UINT32_MAX)
        used = (size_t)snprintf(out, room, "no limit");
    for (const struct vxbi_word *word = field->words; word && word->name; word++) {
        const bool said = field->type == VXBI_FIELD_FLAGS ? (value.u & word->value) != 0 : value.u == word->value;
        if (said && used < room)
            used += (size_t)snprintf(out + used, room - used, "%s%s", used ? ", " : "", word->name);
    }
    return used > 0;
}
