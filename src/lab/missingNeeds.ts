import { existsSync } from 'node:fs';
import { runsInNamespace } from './runsInNamespace.ts';

/** What a lab can need of the machine. */
export type LabNeed = keyof typeof checks;

/** What of it the machine lacks, in words; empty: nothing. Each is tried in a network namespace of its own. */
export function missingNeeds(needs: readonly LabNeed[]): readonly string[] {
  // One that has no namespaces would have its own rules touched by the other checks.
  const unusable = checks.namespaces();
  if (unusable !== undefined) return [unusable];
  return needs.flatMap((need) => checks[need]() ?? []);
}

const checks = {
  namespaces: () =>
    process.getuid?.() === 0 &&
    runsInNamespace('perl -MSocket -MPOSIX -e 1; ip link add veth0 type veth peer name veth1; nsenter --version')
      ? undefined
      : 'network namespaces: root (or `unshare --map-root-user`), unshare and nsenter (util-linux), ip (iproute2), perl',
  'iptables-nft': () => uses('iptables-nft', 'iptables-nft-restore iptables-nft-save ip6tables-nft-restore'),
  'iptables-legacy': () =>
    uses('iptables-legacy', 'iptables-legacy-restore iptables-legacy-save ip6tables-legacy-restore'),
  iptables: () => uses('iptables', 'iptables-restore iptables-save ip6tables-restore'),
  nft: () =>
    runsInNamespace('nft add table ip a; nft add table ip6 a')
      ? undefined
      : 'nft (nftables), or a kernel with its families',
  ipset: () => (runsInNamespace('ipset create a hash:ip') ? undefined : 'ipset, or a kernel with it'),
  ipvs: () =>
    runsInNamespace('ipvsadm -Ln; ip link add kube-ipvs0 type dummy')
      ? undefined
      : 'ipvsadm, or a kernel with ip_vs and dummy devices',
  'bridge-netfilter': () =>
    existsSync('/proc/sys/net/bridge/bridge-nf-call-iptables') ? undefined : 'the kernel module br_netfilter',
  uml: () =>
    // Its own folder of modules is what makes a kernel of it.
    existsSync('/usr/lib/uml/modules') &&
    existsSync('/usr/bin/linux.uml') &&
    runsInNamespace('modprobe --version; ipvsadm --version || :')
      ? runsInNamespace("! grep -qwE 'amx_tile|apx_f' /proc/cpuinfo || cc --version")
        ? undefined
        : 'a C compiler (gcc and libc6-dev) on a processor with AMX'
      : 'user-mode-linux and kmod',
} satisfies Record<string, () => string | undefined>;

function uses(tool: string, others: string): string | undefined {
  const ip6 = tool.replace('iptables', 'ip6tables');
  const works = runsInNamespace(
    `${tool} -w -t nat -L; ${ip6} -w -t nat -L; for tool in ${others}; do command -v $tool; done`,
  );
  return works ? undefined : `${tool} (iptables), or a kernel with its tables`;
}
