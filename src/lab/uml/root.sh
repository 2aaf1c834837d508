#!/bin/sh
# First process of the guest, on the host's file system mounted read-only. Puts a layer of memory over it, so that
# nothing the guest writes stays, and goes on in that root. $RUN comes from the kernel's command line.
export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin

give_up() {
  echo "uml-run: $*"
  echo o >/proc/sysrq-trigger
  while :; do sleep 1; done
}

mount -t proc proc /proc
modules=/usr/lib/uml/modules/$(uname -r)
[ -d "$modules" ] || give_up "no modules for this kernel: $modules"
mount -t tmpfs -o mode=755,size=90% tmpfs /mnt || give_up 'no tmpfs'
mkdir -p /mnt/changes /mnt/work /mnt/root /mnt/lib/modules
# modprobe wants a root that has the modules in their usual place.
ln -s "$modules" /mnt/lib/modules/
modprobe -d /mnt overlay || give_up 'no overlay file system'
mount -t overlay -o lowerdir=/,upperdir=/mnt/changes,workdir=/mnt/work overlay /mnt/root || give_up 'no overlay'
cd /mnt/root && mount -n --move . / && exec chroot . /bin/bash "$RUN/guest.sh"
give_up 'cannot enter the new root'
