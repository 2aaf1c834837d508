#!/bin/bash
# Second half of the guest's start, in a root that may be written: devices, shared folders, modules; then the command.
# Consoles 1 and 2 are its stdout and stderr. Its status goes to $RUN/status.

power_off() {
  sync
  echo o >/proc/sysrq-trigger
  while :; do sleep 1; done
}
trap 'echo "uml-run: the guest did not start"; power_off' EXIT

mount -t proc proc /proc
mount -t sysfs sysfs /sys
mount -t devtmpfs -o mode=755 devtmpfs /dev
mkdir -p /dev/pts /dev/shm
mount -t devpts -o ptmxmode=666 devpts /dev/pts
mount -t tmpfs -o mode=1777 tmpfs /dev/shm
mount -t tmpfs -o mode=755 tmpfs /run
mkdir -m 1777 /run/lock
ln -s /proc/self/fd /dev/fd
ln -s fd/0 /dev/stdin
ln -s fd/1 /dev/stdout
ln -s fd/2 /dev/stderr
while IFS= read -r folder; do
  { mkdir -p "$folder" && mount -t hostfs -o "$folder" none "$folder"; } || exit
done < <(echo "$RUN"; cat "$RUN/shares")

echo uml >/proc/sys/kernel/hostname
# This kernel has nf_tables without the families ip, ip6 and inet: only the legacy iptables work.
for tool in {iptables,ip6tables}{,-save,-restore}; do
  legacy=/usr/sbin/${tool/tables/tables-legacy}
  [[ -e $legacy ]] && ln -sf "$legacy" "/etc/alternatives/$tool"
done
mkdir -p /usr/lib/modules
ln -s "/usr/lib/uml/modules/$(uname -r)" /usr/lib/modules/
# A dummy0 that nobody asked for would show in every list of devices.
mkdir -p /etc/modprobe.d
echo 'options dummy numdummies=0' >/etc/modprobe.d/uml-run.conf
# Their settings in /proc/sys exist only once they are there. Other modules load when they are first used.
modprobe -qa nf_conntrack ipv6 ip_vs ip_vs_rr ip_set xt_set xt_ipvs dummy veth bridge sctp iptable_nat iptable_filter
ip link set lo up

# Pipes, since the command is to see no terminal. A cat closes its console when the last byte is out.
mkfifo /run/uml-out /run/uml-err
{ stty raw -echo; exec cat /run/uml-out; } </dev/tty1 >/dev/tty1 &
out=$!
{ stty raw -echo; exec cat /run/uml-err; } </dev/tty2 >/dev/tty2 &
err=$!
(
  trap - EXIT
  run=$RUN
  unset RUN
  # shellcheck source=/dev/null
  . "$run/environment"
  PATH=$PATH:/usr/local/sbin:/usr/sbin:/sbin
  # A session of its own, so that a kill of its group leaves us alone.
  exec setsid --wait /bin/bash "$run/command" <"$run/stdin" >/run/uml-out 2>/run/uml-err
)
status=$?
# What the command has left running keeps the pipes open: it gets a second.
(
  sleep 1
  for process in /proc/[0-9]*; do
    process=${process##*/}
    [[ " 1 $BASHPID $out $err " == *" $process "* ]] || kill -9 "$process"
  done
) 2>/dev/null &
wait $out $err
echo $status >"$RUN/status"
trap - EXIT
power_off
