import type { DumpFile } from '../dump/dumpFile.ts';
import { readDumps } from '../dump/readDumps.ts';
import type { NodeRules } from '../node/nodeRules.ts';
import type { Namespace } from './openNamespace.ts';
import { tryIn } from './runIn.ts';

/** What a machine of the lab holds, as its own tools show it: rules, sets, addresses, routes, settings. */
export async function dumpNode(namespace: Namespace, name: string): Promise<NodeRules> {
  return readDumps(await showNode(namespace), { name });
}

/** The same as files, before they are read. */
export async function showNode(namespace: Namespace): Promise<readonly DumpFile[]> {
  const shown = await Promise.all(
    commands.map(async ({ file, kind, words }): Promise<DumpFile | undefined> => {
      const { status, stdout } = await tryIn(namespace, words).catch(() => notInstalled);
      // Of settings some cannot be read, which counts as a failure.
      if ((status !== 0 && kind !== 'sysctl') || stdout.trim() === '') return undefined;
      return { name: file, text: kind === 'sysctl' ? settingsOf(stdout) : stdout, ...(kind && { kind }) };
    }),
  );
  return shown.filter((file) => file !== undefined);
}

const notInstalled = { status: 127, stdout: '', stderr: '' };

interface Command {
  /** Names of files tell variants of iptables apart. */
  readonly file: string;
  readonly kind?: NonNullable<DumpFile['kind']>;
  readonly words: readonly string[];
}

const settings =
  '(forwarding|rp_filter|accept_local|route_localnet|ip_forward|bridge-nf-call-ip6?tables|conntrack|nf_conntrack_tcp_loose)';

const commands: readonly Command[] = [
  { file: 'iptables.legacy.v4.save', words: ['iptables-legacy-save'] },
  { file: 'iptables.legacy.v6.save', words: ['ip6tables-legacy-save'] },
  { file: 'iptables.nft.v4.save', words: ['iptables-nft-save'] },
  { file: 'iptables.nft.v6.save', words: ['ip6tables-nft-save'] },
  { file: 'nft.txt', words: ['nft', 'list', 'ruleset'] },
  { file: 'ipset.save', words: ['ipset', 'save'] },
  { file: 'ipvsadm.save', words: ['ipvsadm', '-Sn'] },
  { file: 'addresses.txt', kind: 'addresses', words: ['ip', '-d', 'addr', 'show'] },
  { file: 'routes.v4.txt', kind: 'routes', words: ['ip', '-4', 'route', 'show', 'table', 'all'] },
  { file: 'routes.v6.txt', kind: 'routes', words: ['ip', '-6', 'route', 'show', 'table', 'all'] },
  { file: 'policy-rules.txt', kind: 'rules', words: ['ip', 'rule', 'show'] },
  { file: 'bridge.txt', kind: 'bridge', words: ['bridge', '-d', 'link'] },
  {
    file: 'sysctl.txt',
    kind: 'sysctl',
    words: [
      'find',
      '/proc/sys/net',
      '-regextype',
      'posix-extended',
      '-regex',
      `.*/${settings}`,
      '-exec',
      'grep',
      '-H',
      '',
      '{}',
      '+',
    ],
  },
];

/** `/proc/sys/net/ipv4/ip_forward:1` as sysctl prints it; dots in names of interfaces are rare, and not of the lab. */
function settingsOf(lines: string): string {
  return lines
    .split('\n')
    .map((line) => line.replace(/^\/proc\/sys\//, ''))
    .map((line) => `${line.slice(0, line.indexOf(':')).replaceAll('/', '.')} = ${line.slice(line.indexOf(':') + 1)}`)
    .join('\n');
}
