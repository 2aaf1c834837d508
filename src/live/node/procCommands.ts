import type { CollectCommand } from '../../script/collect/collectCommands.ts';
import { procNetTexts } from './procNetTexts.ts';

/** Reads from the kernel itself what a missing program would have shown. */
export interface ProcCommand extends CollectCommand {
  /** The text as the programs print it, by the files of their commands. */
  readonly printed: (text: string) => readonly (readonly [file: CollectCommand['file'], text: string])[];
}

/**
 * kube-proxy's own image has the programs for rules, a shell, cat and grep, but neither ip nor sysctl nor conntrack.
 */
export const procCommands: readonly ProcCommand[] = [
  {
    where: 'node',
    file: 'facts/proc-net.txt',
    words: words('cat /proc/net/route /proc/net/ipv6_route /proc/net/if_inet6 /proc/net/fib_trie'),
    what: 'addresses and routes, where no ip is installed',
    unless: 'ip',
    printed: (text) => {
      const { addresses, routes4, routes6 } = procNetTexts(text);
      return [
        ['dumps/addresses.txt', addresses],
        ['dumps/routes.v4.txt', routes4],
        ['dumps/routes.v6.txt', routes6],
      ];
    },
  },
  {
    where: 'node',
    file: 'facts/proc-sys.txt',
    words: words(
      `grep -Hs . ${[
        'ipv4/ip_forward ipv6/conf/all/forwarding ipv4/conf/all/route_localnet ipv4/conf/all/rp_filter',
        'bridge/bridge-nf-call-iptables bridge/bridge-nf-call-ip6tables',
        'netfilter/nf_conntrack_max netfilter/nf_conntrack_count netfilter/nf_conntrack_tcp_be_liberal',
      ]
        .join(' ')
        .split(' ')
        .map((name) => `/proc/sys/net/${name}`)
        .join(' ')}`,
    ),
    what: 'settings of the kernel, where no sysctl is installed',
    unless: 'sysctl',
    printed: (text) => [['facts/sysctl.txt', text.replace(/^\/proc\/sys\/(\S+?):(.*)$/gm, settingOf)]],
  },
  {
    where: 'node',
    file: 'facts/proc-conntrack.txt',
    words: words('grep -w udp /proc/net/nf_conntrack'),
    what: 'connections over UDP, where no conntrack is installed',
    unless: 'conntrack',
    printed: (text) => [
      ['dumps/conntrack.udp.v4.txt', ofFamily(text, 'ipv4')],
      ['dumps/conntrack.udp.v6.txt', ofFamily(text, 'ipv6')],
    ],
  },
];

function words(line: string): readonly string[] {
  return line.split(' ');
}

function settingOf(_: string, path: string, value: string): string {
  return `${path.replaceAll('/', '.')} = ${value}`;
}

/** `ipv4     2 udp      17 29 src=…`. */
function ofFamily(text: string, family: string): string {
  const lines = text.split('\n').filter((line) => line.startsWith(family));
  return lines.map((line) => `${line}\n`).join('');
}
