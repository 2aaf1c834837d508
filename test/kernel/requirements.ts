import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { labEnvironment } from './runIn.ts';

/** What a kernel test can need of the machine. */
export type Need = keyof typeof checks;

/**
 * A `test` for tests that need something of the machine: they skip, with the reason in the open, where it lacks
 * anything; with K8SNET_REQUIRE_KERNEL=1 they fail there instead. Namespaces, iproute2 and perl are always needed. The
 * machine is asked once, so call this once a file.
 */
export function kernelTests(needs: readonly Need[]): (name: string, run: () => Promise<void> | void) => void {
  const missing = missingNeeds(needs);
  const reason = missing.length > 0 ? `this machine lacks ${missing.join('; ')}` : undefined;
  const fails = process.env.K8SNET_REQUIRE_KERNEL === '1';
  return (name, run) => {
    test(name, { skip: fails ? false : (reason ?? false) }, async () => {
      if (reason !== undefined) throw new Error(`K8SNET_REQUIRE_KERNEL=1, and ${reason}`);
      await run();
    });
  };
}

/** What is missing, in words; empty: nothing. */
export function missingNeeds(needs: readonly Need[]): readonly string[] {
  // One that has no namespaces would have its own rules touched by the other checks.
  const usable = checks.namespaces();
  if (usable !== undefined) return [usable];
  return needs.flatMap((need) => checks[need]() ?? []);
}

const checks = {
  namespaces: () =>
    isRoot() && runs('perl -MSocket -MPOSIX -e 1; ip link add veth0 type veth peer name veth1; nsenter --version')
      ? undefined
      : 'network namespaces: root (or `unshare --map-root-user`), unshare and nsenter (util-linux), ip (iproute2), perl',
  'iptables-nft': () => uses('iptables-nft', 'iptables-nft-restore iptables-nft-save ip6tables-nft-restore'),
  'iptables-legacy': () =>
    uses('iptables-legacy', 'iptables-legacy-restore iptables-legacy-save ip6tables-legacy-restore'),
  nft: () =>
    runs('nft add table ip a; nft add table ip6 a') ? undefined : 'nft (nftables), or a kernel with its families',
  ipset: () => (runs('ipset create a hash:ip') ? undefined : 'ipset, or a kernel with it'),
  'bridge-netfilter': () =>
    existsSync('/proc/sys/net/bridge/bridge-nf-call-iptables') ? undefined : 'the kernel module br_netfilter',
  bind: () => (runs('named -v; named-checkconf -h || :; dig -v') ? undefined : 'named and dig (bind9, dnsutils)'),
  musl: () => (runs('musl-gcc --version') ? undefined : 'musl-gcc (musl-tools)'),
  nginx: () => (runs('nginx -v') ? undefined : 'nginx'),
  'nginx-stream': () =>
    existsSync('/usr/lib/nginx/modules/ngx_stream_module.so')
      ? undefined
      : "nginx's stream module (libnginx-mod-stream)",
  haproxy: () => (runs('haproxy -v') ? undefined : 'haproxy'),
  openssl: () => (runs('openssl version') ? undefined : 'openssl'),
  uml: () =>
    // Its own folder of modules is what makes a kernel of it.
    existsSync('/usr/lib/uml/modules') &&
    existsSync('/usr/bin/linux.uml') &&
    runs('modprobe --version; ipvsadm --version || :')
      ? runs("! grep -qwE 'amx_tile|apx_f' /proc/cpuinfo || cc --version")
        ? undefined
        : 'a C compiler (gcc and libc6-dev) on a processor with AMX'
      : 'user-mode-linux and kmod',
} satisfies Record<string, () => string | undefined>;

function isRoot(): boolean {
  return process.getuid?.() === 0;
}

/** The commands work in a namespace of their own. */
function runs(script: string): boolean {
  const options = { env: labEnvironment(), stdio: 'pipe' } as const;
  return spawnSync('unshare', ['--net', '--', 'sh', '-eu', '-c', script], options).status === 0;
}

function uses(tool: string, others: string): string | undefined {
  const ip6 = tool.replace('iptables', 'ip6tables');
  const works = runs(`${tool} -w -t nat -L; ${ip6} -w -t nat -L; for tool in ${others}; do command -v $tool; done`);
  return works ? undefined : `${tool} (iptables), or a kernel with its tables`;
}
