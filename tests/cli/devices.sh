# Devices as a user meets them, on drivers of our own: listed, chosen, refused, and failing in every way they can.
[ -e "$CLI_BUILD/stub_opencl.so" ] || skip 'built without OpenCL'
mkdir none stub
printf '%s\n' "$CLI_BUILD/stub_opencl.so" >stub/b.icd
echo "/nowhere/libbroken.so" >stub/a.icd
echo "not a path at all" >stub/c.icd
unset VXBAKE_DEVICE
meadow

# No driver is no error where none was asked for. A loader that can't be had is told of; nothing is without it to see.
export OCL_ICD_VENDORS="$PWD/none"
if ! vxbake devices >list 2>err; then
    holds 'there is no OpenCL on this machine' err
    skip 'there is no OpenCL loader'
fi
cat list
expect 0 vxbake bake meadow.json -o cpu.vxg -q
expect 0 vxbake bake meadow.json -o auto.vxg -q --device auto
cmp cpu.vxg auto.vxg || fail 'auto gives other bytes'
echo '-- none'
expect 6 vxbake bake meadow.json -o new.vxg --device opencl

# Broken ones among good ones.
export OCL_ICD_VENDORS="$PWD/stub"
echo '-- stub'
expect 0 vxbake devices
for how in inexact old no-compiler embedded small little-local big-endian least 'old small no-compiler'; do
    STUB_OPENCL=$how vxbake devices | grep qualifies
done
STUB_OPENCL=no-device expect 0 vxbake devices
STUB_OPENCL=list-fails expect 0 vxbake devices

# What can't be had is an error, with what there is.
echo '-- choice' >&2
expect 6 vxbake bake meadow.json -o new.vxg --device opencl:1
expect 6 vxbake bake meadow.json -o new.vxg --device opencl:H200
expect 6 vxbake bake meadow.json -o new.vxg --device opencl:PLATFORM
expect 2 vxbake bake meadow.json -o new.vxg --device gpu
expect 2 vxbake bake meadow.json -o new.vxg --cross-check 10
expect 2 vxbake bake meadow.json -o new.vxg --device opencl --cross-check 101
VXBAKE_DEVICE=opencl:7 expect 6 vxbake bake meadow.json -o new.vxg
VXBAKE_DEVICE=opencl:7 expect 0 vxbake bake meadow.json -o env.vxg -q --device cpu
cmp cpu.vxg env.vxg || fail 'the option does not win'
echo '-- failures' >&2
for how in inexact no-compiler small; do
    STUB_OPENCL=$how expect 6 vxbake bake meadow.json -o new.vxg --device opencl:stub
done
# The last one does all that it is asked, but its kernels compute nothing.
for how in context-fails queue-fails build-fails 'build-fails long-log' kernel-fails lost ''; do
    STUB_OPENCL=$how expect 6 vxbake bake meadow.json -o new.vxg --device opencl
done
STUB_OPENCL=no-memory expect 7 vxbake bake meadow.json -o new.vxg --device opencl
STUB_OPENCL='inexact lost' expect 6 vxbake bake meadow.json -o new.vxg --device opencl --inexact
STUB_OPENCL=inexact expect 0 vxbake bake meadow.json -o inexact-asked.vxg -q --device cpu --inexact
cmp cpu.vxg inexact-asked.vxg || fail '--inexact changes what the cpu bakes'

# A driver that crashes when it is asked takes nobody along who did not ask, and no file.
echo '-- crash' >&2
for device in cpu auto; do
    STUB_OPENCL=crash expect 0 vxbake bake meadow.json -o crash.vxg -q --device $device
    cmp cpu.vxg crash.vxg || fail 'other bytes'
done
ulimit -c 0
STUB_OPENCL=crash vxbake bake meadow.json -o crash.vxg -q --device opencl >log 2>&1
[ $? -gt 127 ] || grep -q AddressSanitizer log || fail 'it did not crash'
cmp cpu.vxg crash.vxg || fail 'a crash changed the file'
rm -f log crash.vxg

# What auto takes and then fails leaves the work to the CPU, and says so; a cross-check has to be told. There are more
# candidates for the one thread than VXB_DEVICE_AUTO_CANDIDATES, or auto would not look for a device.
echo '-- auto' >&2
large='--threads 1 --set /density=64000 --set /density_scale=0.0001'
expect 0 vxbake bake meadow.json -o large-cpu.vxg -q $large
expect 0 vxbake bake meadow.json -o large.vxg -q --device auto $large
cmp large-cpu.vxg large.vxg || fail 'auto gives other bytes'
STUB_OPENCL=no-memory expect 0 vxbake bake meadow.json -o large.vxg -q --device auto $large
STUB_OPENCL=processor expect 0 vxbake bake meadow.json -o large.vxg --device auto $large >log
rm log
STUB_OPENCL=lost expect 6 vxbake bake meadow.json -o large.vxg -q --device auto --cross-check 1 $large
STUB_OPENCL=inexact expect 0 vxbake bake meadow.json -o large.vxg -q --device auto $large
STUB_OPENCL=build-fails expect 0 vxbake bake meadow.json -o large.vxg -q --device auto $large
cmp large-cpu.vxg large.vxg || fail 'auto gives other bytes'
rm large.vxg large-cpu.vxg
only auto.vxg cpu.vxg env.vxg err hills.r16 inexact-asked.vxg list meadow.json none stub
