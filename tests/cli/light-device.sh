# Light on devices as a user meets them, on a driver of our own: chosen, refused, failing, and done without.
[ -e "$CLI_BUILD/stub_opencl.so" ] || skip 'built without OpenCL'
mkdir stub
printf '%s\n' "$CLI_BUILD/stub_opencl.so" >stub/a.icd
export OCL_ICD_VENDORS="$PWD/stub"
vxbake devices -q >list 2>err || skip 'there is no OpenCL loader'
cat >r.json <<JSON
{"kind": "irradiance-field", "bounds": {"min": [0, 0, 0], "max": [8, 8, 8]}, "cells": [4, 4, 4], "rays": 16,
 "allocate": [{"min": [0, 0, 0], "max": [8, 8, 8], "size": 1}],
 "shapes": [{"kind": "plane", "normal": [0, 1, 0], "offset": 0.5, "albedo": [0.5, 0.4, 0.3]}],
 "sky": {"constant": [1, 1, 1]}, "sun": {"direction": [1, 2, 0], "irradiance": [2, 2, 2]}}
JSON
expect 0 vxbake bake r.json -o cpu.vxp -q --threads 1

# A wrong choice names its source. The option wins; what is empty is no choice.
echo '-- choice' >&2
expect 2 vxbake bake r.json -o new.vxp --device gpu
VXBAKE_DEVICE=gpu expect 2 vxbake bake r.json -o new.vxp
VXBAKE_DEVICE=opencl:7 expect 6 vxbake bake r.json -o new.vxp
STUB_OPENCL=inexact VXBAKE_DEVICE=opencl expect 6 vxbake bake r.json -o new.vxp
VXBAKE_DEVICE=opencl:7 expect 0 vxbake bake r.json -o env.vxp -q --device cpu
cmp cpu.vxp env.vxp || fail 'the option does not win'
VXBAKE_DEVICE= expect 0 vxbake bake r.json -o env.vxp -q
cmp cpu.vxp env.vxp || fail 'no choice gives other bytes'
expect 2 vxbake bake r.json -o new.vxp --cross-check 10
VXBAKE_DEVICE=cpu expect 2 vxbake bake r.json -o new.vxp --cross-check 10
VXBAKE_DEVICE=auto expect 0 vxbake bake r.json -o env.vxp -q --cross-check 10
cmp cpu.vxp env.vxp || fail 'auto gives other bytes'
expect 0 vxbake bake r.json -o env.vxp -v --no-progress --device auto >text 2>talk
holds 'baking on the cpu' talk

# What was asked for by name and fails is an error, and the file is what it was.
echo '-- failures' >&2
echo old >kept.vxp
# The last one does all that it is asked, but its kernels compute nothing.
for how in build-fails kernel-fails lost ''; do
    STUB_OPENCL=$how expect 6 vxbake bake r.json -o kept.vxp --device opencl
done
STUB_OPENCL=lost VXBAKE_DEVICE=opencl expect 6 vxbake bake r.json -o kept.vxp
STUB_OPENCL=no-memory expect 7 vxbake bake r.json -o kept.vxp --device opencl
STUB_OPENCL='inexact lost' expect 6 vxbake bake r.json -o kept.vxp --device opencl --inexact
STUB_OPENCL=inexact expect 6 vxbake bake r.json -o kept.vxp --device opencl --inexact --cross-check 100 --threads 1
[ "$(cat kept.vxp)" = old ] || fail 'a device that fails changed the file'
STUB_OPENCL=lost expect 6 vxbake bake r.json -o - --report json=report.json --preview p.png --device opencl >out
[ ! -s out ] || fail 'a device that fails has written'
rm out

# What auto takes and then fails leaves the work to the CPU, and says so; a cross-check has to be told.
echo '-- auto' >&2
large='--threads 1 --set /rays=170'
expect 0 vxbake bake r.json -o large-cpu.vxp -q $large
for how in '' lost no-memory inexact build-fails; do
    STUB_OPENCL=$how expect 0 vxbake bake r.json -o large.vxp -q --device auto $large
    cmp large-cpu.vxp large.vxp || fail "auto gives other bytes: $how"
    rm large.vxp
done
STUB_OPENCL=context-fails VXBAKE_DEVICE=auto expect 0 vxbake bake r.json -o - --no-progress $large >large.vxp 2>text
holds 'note: baking on the cpu: Stub device: to open it failed' text
cmp large-cpu.vxp large.vxp || fail 'auto gives other bytes on standard output'
STUB_OPENCL=lost expect 0 vxbake bake r.json -o - -q --device auto $large >large.vxp
cmp large-cpu.vxp large.vxp || fail 'auto gives other bytes on standard output'
STUB_OPENCL=lost expect 6 vxbake bake r.json -o large.vxp -q --device auto --cross-check 1 $large
cmp large-cpu.vxp large.vxp || fail 'a device that fails changed the file'
rm large.vxp large-cpu.vxp
only cpu.vxp env.vxp err kept.vxp list r.json stub talk text
