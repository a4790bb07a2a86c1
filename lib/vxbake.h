/* libvxbake: everything. Each header stands alone too. */
#ifndef VXBAKE_H
#define VXBAKE_H

#include "vxbake/bake.h"
#include "vxbake/base.h"
#include "vxbake/device.h"
#include "vxbake/diff.h"
#include "vxbake/explain.h"
#include "vxbake/export.h"
#include "vxbake/file.h"
#include "vxbake/fill.h"
#include "vxbake/findings.h"
#include "vxbake/grass.h"
#include "vxbake/list.h"
#include "vxbake/output.h"
#include "vxbake/probe_file.h"
#include "vxbake/probes.h"
#include "vxbake/pyramid.h"
#include "vxbake/recipe.h"
#include "vxbake/ring.h"
#include "vxbake/runtime.h"
#include "vxbake/simulate.h"
#include "vxbake/terrain.h"
#include "vxbake/text.h"
#include "vxbake/texture.h"
#include "vxbake/transcode.h"
#include "vxbake/verify.h"

#endif
