#!/bin/sh
# Runs a script in a copy of this system: it reads the real files, and what it writes is in memory and gone at the end.
# Called in a mount namespace and a process namespace of its own.
# Arguments: an empty folder; the script; files that it finds beside itself, in /packages.
set -e
copy=$1
script=$(basename "$2")
shift
mount -t tmpfs tmpfs "$copy"
mkdir "$copy/upper" "$copy/work" "$copy/root"
mount -t overlay overlay -o "lowerdir=/,upperdir=$copy/upper,workdir=$copy/work" "$copy/root"
mkdir "$copy/root/packages"
cp "$@" "$copy/root/packages/"
mount -t proc proc "$copy/root/proc"
mount --rbind /dev "$copy/root/dev"
mount -t tmpfs tmpfs "$copy/root/tmp"
exec chroot "$copy/root" sh "/packages/$script"
