import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { labEnvironment } from '../../src/lab/labEnvironment.ts';
import { type Lab, machine, openLab } from '../../src/lab/openLab.ts';
import type { Namespace } from '../../src/lab/openNamespace.ts';
import { runIn, tryIn } from '../../src/lab/runIn.ts';
import { scriptsWith } from '../policy/applyScripts.ts';

/** Ways in which a node holds policies. */
export const policyLayouts = ['nftables', 'strict', 'kube-router'] as const;
export type SwitchedLayout = (typeof policyLayouts)[number];

export interface SwitchResult {
  /** Sent while rule sets replaced each other. */
  readonly probes: number;
  /** That came through, although both rule sets deny them. */
  readonly passed: number;
  /** That one of the rule sets allows, and that came through: what counts them works. */
  readonly controls: number;
  /** Loads that ended, and loads that were killed. */
  readonly runs: number;
  readonly killed: number;
}

/** What is enough, and after how many seconds it ends anyway. */
export interface SwitchLimits {
  readonly probes: number;
  /** Loads that ended; one more was killed. */
  readonly runs: number;
  readonly seconds: number;
}

/**
 * Two rule sets replace each other, and every third load is killed somewhere on its way, while a Pod sends SYN after SYN
 * to a port that both deny.
 */
export async function switchPolicies(layout: SwitchedLayout, limits: SwitchLimits): Promise<SwitchResult> {
  const scripts = [await scriptOf('A', layout), await scriptOf('B', layout)];
  const lab = await openLab({
    nodes: [{ name: 'node-1', addresses: ['192.168.70.11'], podCidrs: ['10.1.0.0/24'] }],
    pods: [pod('web', server), pod('a', allowed), pod('b', denied)],
    hosts: [],
  });
  const folder = mkdtempSync(join(tmpdir(), 'k8snet-switch-'));
  const stop = join(folder, 'stop');
  try {
    const [node, web] = [machine(lab, 'node-1'), machine(lab, 'web')];
    await runIn(node, ['sh', '-s'], scripts[0]);
    await runIn(web, ['nft', '-f', '-'], counters);
    const sent = send(lab, 'b', denied, limits, stop);
    const isEnough = ({ runs, killed }: Loads) => runs >= limits.runs && killed > 0;
    const switched = await switchUntil(node, scripts, sent, (loads) => isEnough(loads) && writeFileSync(stop, ''));
    writeFileSync(stop, '');
    // The last load was not killed, and is that of A.
    await runIn(node, ['sh', '-s'], scripts[0]);
    await send(lab, 'a', allowed, { probes: 1000, seconds: 60 }, stop);
    const [passed, controls] = await counted(web);
    return { ...switched, probes: await sent, passed, controls };
  } finally {
    await lab.close();
    rmSync(folder, { recursive: true });
  }
}

// A allows a on port 80, and B allows b on port 81: b on port 80 is denied by both.
const [server, allowed, denied] = ['10.1.0.9', '10.1.0.10', '10.1.0.11'] as const;

const counters = `table ip arrived {
  counter denied { }
  counter allowed { }
  chain input {
    type filter hook input priority -300
    tcp dport 80 tcp flags syn ip saddr ${denied} counter name denied
    tcp dport 80 tcp flags syn ip saddr ${allowed} counter name allowed
  }
}
`;

function pod(name: string, address: string) {
  return { name, node: 'node-1', addresses: [address] };
}

async function scriptOf(name: 'A' | 'B', layout: SwitchedLayout): Promise<string> {
  const policy = layout === 'nftables' ? ({ backend: layout } as const) : ({ backend: 'iptables', layout } as const);
  const file = `fixtures/policy-scripts/swap-${name}.yaml`;
  return (await scriptsWith({ isPolicyOnly: true, policy: { ...policy, node: 'node-1' } }, [file], '--node', 'node-1'))
    .policy;
}

type Loads = Pick<SwitchResult, 'runs' | 'killed'>;

/** Hears of every load, until what is sent meanwhile is over. */
async function switchUntil(
  node: Namespace,
  scripts: readonly string[],
  end: Promise<unknown>,
  loaded: (loads: Loads) => unknown,
): Promise<Loads> {
  let isOver = false;
  void end.finally(() => {
    isOver = true;
  });
  let [runs, killed, last] = [0, 0, 0];
  for (let at = 1; !isOver; at += 1) {
    loaded({ runs, killed });
    const script = scripts[at % 2] ?? '';
    if (at % 3 === 0) {
      killed += (await runAndKill(node, script, Math.random() * last)) ? 1 : 0;
      continue;
    }
    const start = performance.now();
    const { status, stderr } = await tryIn(node, ['sh', '-s'], script);
    assert.equal(status, 0, stderr);
    // One slow run is no measure: after it, nearly all would end before they are killed.
    last = performance.now() - start;
    runs += 1;
  }
  return { runs, killed };
}

/** Whether it was still running. What the shell has started goes on, as on a node. */
async function runAndKill(node: Namespace, script: string, milliseconds: number): Promise<boolean> {
  const child = spawn('nsenter', [`--net=/proc/${node.pid}/ns/net`, '--', 'sh', '-s'], {
    stdio: ['pipe', 'ignore', 'ignore'],
    env: labEnvironment(),
  });
  child.stdin.on('error', () => undefined);
  child.stdin.end(script);
  const killing = setTimeout(() => child.kill('SIGKILL'), milliseconds);
  const [, signal] = await once(child, 'exit');
  clearTimeout(killing);
  return signal === 'SIGKILL';
}

/**
 * Sends SYNs from a Pod to port 80 of the server, from many ports, and tells how many: so many at least, and until there is a
 * file `stop`.
 */
async function send(
  lab: Lab,
  from: string,
  source: string,
  { probes, seconds }: Pick<SwitchLimits, 'probes' | 'seconds'>,
  stop: string,
): Promise<number> {
  const limits = [`${probes}`, `${seconds}`, stop];
  return Number(await runIn(machine(lab, from), ['perl', '-e', sender, source, server, ...limits]));
}

async function counted(web: Namespace): Promise<readonly [number, number]> {
  const list = await runIn(web, ['nft', 'list', 'counters']);
  const of = (name: string) => Number(new RegExp(`counter ${name} \\{\\s+packets (\\d+)`).exec(list)?.[1]);
  return [of('denied'), of('allowed')];
}

/** No connection is opened: each packet is a new one, and needs no socket. */
const sender = `
use strict; use Socket;
my ($source, $target, $count, $seconds, $stop) = @ARGV;
socket(my $raw, AF_INET, SOCK_RAW, 6) or die "socket: $!";
connect($raw, pack_sockaddr_in(0, inet_aton($target))) or die "connect: $!";
my @packets = map {
  my $head = pack('nnNNnnnn', $_, 80, $_ * 65537, 0, 0x5002, 64240, 0, 0);
  my $sum = 0;
  $sum += $_ for unpack('n*', inet_aton($source) . inet_aton($target) . pack('nn', 6, 20) . $head);
  $sum = ($sum & 0xffff) + ($sum >> 16) while $sum >> 16;
  substr($head, 16, 2) = pack('n', ~$sum & 0xffff);
  $head;
} 20000 .. 27999;
my ($sent, $end) = (0, time + $seconds);
while (($sent < $count || !-e $stop) && time < $end) {
  for (@packets) { send($raw, $_, 0) and $sent++; last if $sent == $count && -e $stop; }
}
print $sent;
`;
