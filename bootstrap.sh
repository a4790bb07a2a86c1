#!/bin/sh
# Makes ./configure from configure.ac. Needed once in a git clone; release tarballs have it already.
set -e
cd "$(dirname "$0")"
mkdir -p m4
autoreconf --install --force
echo 'Now run: ./configure && make'
