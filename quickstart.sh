#!/bin/sh
# From a fresh clone on Debian 12 to a baked field, in one command:
#   ./quickstart.sh          install what is missing, build, bake examples/meadow, show what was made
#   ./quickstart.sh --check  the same, then the whole test suite
# The build goes to build/. Packages are installed with apt-get (through sudo where you are not root), only those that
# are missing; elsewhere than on Debian install them yourself first (README, "Building").
set -eu
cd "$(dirname "$0")"

check=no
case "${1-}" in
'') ;;
--check) check=yes ;;
*) echo "usage: ./quickstart.sh [--check]" >&2; exit 2 ;;
esac

packages='build-essential autoconf automake libtool pkg-config
libcjson-dev libzstd-dev libxxhash-dev libstb-dev libyaml-dev ocl-icd-opencl-dev'
if [ $check = yes ]; then
    packages="$packages libcriterion-dev pocl-opencl-icd python3 python3-jsonschema mandoc man-db xxhash zstd locales"
fi

missing=
if command -v dpkg-query >/dev/null && command -v apt-get >/dev/null; then
    for package in $packages; do
        status=$(dpkg-query -W -f '${Status}' "$package" 2>/dev/null || true)
        [ "$status" = 'install ok installed' ] || missing="$missing $package"
    done
    if [ -n "$missing" ]; then
        echo "Installing:$missing"
        sudo=
        [ "$(id -u)" = 0 ] || sudo=sudo
        if [ -n "$sudo" ] && ! command -v sudo >/dev/null; then
            echo "That takes root, and there is no sudo. As root:" >&2
            echo "apt-get update && apt-get install --no-install-recommends$missing" >&2
            exit 1
        fi
        $sudo apt-get update -qq
        # shellcheck disable=SC2086
        $sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >/dev/null
    fi
fi

[ -x configure ] || ./bootstrap.sh >/dev/null
mkdir -p build
cd build
# Again where packages came since: what configure did not find is left out of the build and of the tests.
[ -f Makefile ] && [ -z "$missing" ] && [ $check = no ] || ../configure --quiet
make --silent -j "$(getconf _NPROCESSORS_ONLN)"

echo
./vxbake bake ../examples/meadow/meadow.json -o meadow.vxg --preview meadow.png
./vxbake verify meadow.vxg
./vxbake inspect meadow.vxg
echo
echo "Made build/meadow.vxg, and a picture of it: build/meadow.png"

if [ $check = yes ]; then
    make --silent -j "$(getconf _NPROCESSORS_ONLN)" check
fi
