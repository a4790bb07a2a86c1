# A real driver, PoCL's: the same bytes and report, with and without a folder to keep compiled kernels in.
ls /etc/OpenCL/vendors/pocl.icd >/dev/null 2>&1 || skip 'no PoCL'
mkdir vendors
cp /etc/OpenCL/vendors/pocl.icd vendors/
export OCL_ICD_VENDORS="$PWD/vendors" POCL_MAX_PTHREAD_COUNT=1
unset VXBAKE_DEVICE
vxbake devices -q >list 2>err
[ $? -lt 128 ] || skip 'the driver crashes here'
grep -q 'opencl:0' list || skip 'PoCL lists no device, or this was built without OpenCL'
meadow
expect 0 vxbake bake meadow.json -o cpu.vxg --format json >cpu.json
expect 0 vxbake bake meadow.json -o device.vxg --format json --device opencl:portable --cross-check 50 >device.json
cmp cpu.vxg device.vxg || fail 'other bytes'
sed '/"seconds"/d' cpu.json >a
sed '/"seconds"/d' device.json >b
diff a b || fail 'another report'
expect 0 vxbake bake meadow.json -o small.vxg -q --device opencl --set '/budgets={"max_blades": 100}'
for budget in '{}' '{"max_blades": 100}'; do
    for device in cpu opencl; do
        expect 0 vxbake bake meadow.json -o part-$device.vxg -q --device $device --region 4,0,8.5,4 --set "/budgets=$budget"
    done
    cmp part-cpu.vxg part-opencl.vxg || fail "other bytes of a part, with budgets $budget"
done
expect 0 vxbake verify device.vxg small.vxg -q
expect 0 vxbake verify device.vxg -q --rebake meadow.json
# Light.
cat >light.json <<JSON
{"kind": "irradiance-field", "bounds": {"min": [0, 0, 0], "max": [8, 8, 8]}, "cells": [4, 4, 4], "rays": 16,
 "terrain": {"file": "hills.r16", "size": [8, 8], "range": [0, 8], "metres_per_quad": 2},
 "allocate": [{"min": [0, 0, 0], "max": [8, 8, 8], "size": 1}], "sky": {"constant": [1, 1, 1]},
 "shapes": [{"kind": "sphere", "center": [4, 6, 4], "radius": 1.5, "albedo": [0.5, 0.4, 0.3]}]}
JSON
expect 0 vxbake bake light.json -o cpu.vxp --format json >cpu.json
expect 0 vxbake bake light.json -o device.vxp --format json --device opencl:portable --cross-check 50 >device.json
VXBAKE_DEVICE=opencl expect 0 vxbake bake light.json -o environment.vxp -v --no-progress >text 2>talk
holds '(Portable Computing Language, ' talk
for file in device environment; do
    cmp cpu.vxp $file.vxp || fail 'other light'
done
sed '/"seconds"/d' cpu.json >a
sed '/"seconds"/d' device.json >b
diff a b || fail 'another report of light'
expect 0 vxbake verify device.vxp -q --rebake light.json
# Nowhere to keep what was compiled: an error or the same bytes, and no crash.
env -i PATH="$PATH" OCL_ICD_VENDORS="$PWD/vendors" HOME=/nonexistent POCL_CACHE_DIR=/nonexistent/pocl \
    ASAN_OPTIONS="${ASAN_OPTIONS:-}" LSAN_OPTIONS="${LSAN_OPTIONS:-}" vxbake bake meadow.json -o homeless.vxg -q --device opencl 2>err
case $? in
0) cmp cpu.vxg homeless.vxg || fail 'other bytes without a folder for kernels' ;;
6) holds 'error' err ;;
*) cat err; fail 'neither baked nor told why not' ;;
esac
