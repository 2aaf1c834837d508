import { dumpNode } from '../../../src/lab/dumpNode.ts';
import { forgetClients } from '../../../src/lab/forgetClients.ts';
import { type Lab, machine } from '../../../src/lab/openLab.ts';
import { runIn, tryIn } from '../../../src/lab/runIn.ts';
import { type ProbeOutcome, runProbes } from '../../../src/lab/runProbes.ts';
import type { NodeRules } from '../../../src/node/nodeRules.ts';
import { createNodeTracer, type NodeTracer } from '../../../src/trace/nodeTracer.ts';
import { trailItems } from '../../../src/walk/trail.ts';
import type { Ended } from '../../../src/walk/walkHook.ts';
import { type KernelWays, kernelWays, type Rulebook, tracingTable } from './kernelWays.ts';
import type { TraceReader } from './openTraceReader.ts';
import { ipsetCommands } from './randomIptables.ts';

/** Rules of one node, as texts for the tools that load them. */
export interface RandomRules {
  readonly backend: 'nft' | 'legacy';
  readonly iptables: string;
  readonly nft: string;
}

export interface RandomProbe {
  readonly machine: string;
  /** As `trace --from` takes it. */
  readonly from: string;
  readonly to: string;
  readonly port: number;
  readonly protocol: 'tcp' | 'udp' | 'icmp';
}

/** What a comparison found. */
export interface Comparison {
  readonly compared: number;
  /** Ways of later packets and answers among them. */
  readonly further: number;
  /** Conditions that the walk does not know were on their way. */
  readonly unknown: number;
  readonly problems: readonly string[];
}

/** Loads rules on n1, sends each probe, and holds the kernel's trace of its packets against the walk. */
export async function compareRules(
  lab: Lab,
  reader: TraceReader,
  rules: RandomRules,
  probes: readonly RandomProbe[],
  sourcePorts: { next: number },
): Promise<Comparison | string> {
  const node = machine(lab, 'n1');
  const refused = await load(lab, rules);
  if (refused !== undefined) return refused;
  await runIn(node, ['ipset', 'flush', 'kept']);
  const dump = withNetwork(await dumpNode(node, 'n1'), lab);
  const book = await rulebook(lab, dump);
  await runIn(node, ['nft', '-f', '-'], tracing);
  const tracer = createNodeTracer(dump);
  const problems: string[] = [];
  let compared = 0;
  let further = 0;
  let unknown = 0;
  const walked = async (probe: RandomProbe) => {
    // Another one each time, so that no connection is known already.
    const sourcePort = sourcePorts.next;
    sourcePorts.next += 1;
    await forgetClients(node, dump);
    await tryIn(node, ['ipset', 'flush', 'kept']);
    await reader.read();
    const [outcomes] = await runProbes(lab, [asked(probe, sourcePort)]);
    const ways = kernelWays(await reader.read(), book, sourcePort);
    if (ways === undefined) throw new Error(`the node did not see ${probeText(probe)}`);
    return compareProbe(tracer, probe, sourcePort, ways, outcomes?.[0]);
  };
  for (const probe of probes) {
    const first = await walked(probe);
    // A late packet of a connection before fills what was just emptied: what is wrong is wrong a second time.
    const isFilled = first.problems.length > 0 && /\bkept\b/.test(rules.iptables + rules.nft);
    const result = isFilled ? await walked(probe) : first;
    compared += 1;
    further += result.further;
    unknown += result.isUnknown ? 1 : 0;
    for (const text of result.problems) problems.push(`${probeText(probe)}: ${text}`);
  }
  return { compared, further, unknown, problems };
}

function probeText({ from, to, port, protocol }: RandomProbe): string {
  return `${protocol} from ${from} to ${to}${protocol === 'icmp' ? '' : `:${port}`}`;
}

const tracing = `table inet ${tracingTable} {
  chain in { type filter hook prerouting priority -500; meta nftrace set 1; }
  chain out { type filter hook output priority -500; meta nftrace set 1; }
}
`;

async function load(lab: Lab, { backend, iptables, nft }: RandomRules): Promise<string | undefined> {
  const node = machine(lab, 'n1');
  await runIn(node, ['nft', 'flush', 'ruleset']);
  if (backend === 'legacy') await runIn(node, ['iptables-legacy-restore', '-w'], emptyTables);
  await runIn(node, ['sh', '-c', 'ipset destroy all 2>/dev/null; ipset destroy; ipset restore'], ipsetCommands);
  if (iptables !== '') {
    const { status, stderr } = await tryIn(node, [`iptables-${backend}-restore`, '-w'], iptables);
    if (status !== 0) return stderr.trim();
  }
  const { status, stderr } = await tryIn(node, ['nft', '-f', '-'], nft);
  return status === 0 ? undefined : stderr.trim();
}

const emptyTables = ['raw', 'mangle', 'nat', 'filter'].map((table) => `*${table}\nCOMMIT\n`).join('');

function withNetwork(rules: NodeRules, { network }: Lab): NodeRules {
  const pods = network.pods.map(({ name, node, addresses }, at) => ({
    name,
    ips: addresses,
    node,
    ...(node === 'n1' && { interface: `veth${at}` }),
  }));
  return { ...rules, network: { ...rules.network, node: 'n1', pods } };
}

async function rulebook(lab: Lab, dump: NodeRules): Promise<Rulebook> {
  const listing = await runIn(machine(lab, 'n1'), ['nft', '-a', '-n', 'list', 'ruleset']);
  const numbers = new Map<string, number>();
  let [table, chain, number] = ['', '', 0];
  for (const line of listing.split('\n')) {
    const opened = /^table (\S+ \S+) \{/.exec(line)?.[1];
    if (opened !== undefined) table = opened;
    const inner = /^\t(chain|set|map) (\S+) \{/.exec(line);
    if (inner !== null) [chain, number] = [inner[1] === 'chain' ? (inner[2] ?? '') : '', 0];
    const handle = /# handle (\d+)$/.exec(line)?.[1];
    if (chain === '' || handle === undefined || !line.startsWith('\t\t')) continue;
    number += 1;
    numbers.set(`${table} ${chain} ${handle}`, number);
  }
  const tables = createNodeTracer(dump).tracerOf('ipv4').input.tables;
  const chains = tables.flatMap(({ family, name, chains: own }) =>
    [...own.values()].map((each) => ({ place: `${family} ${name} ${each.name}`, chain: each })),
  );
  return {
    numbers,
    baseChains: new Set(chains.filter((each) => each.chain.base !== undefined).map(({ place }) => place)),
    legacyRules: new Map(chains.map((each) => [each.place, each.chain.rules().map(({ text }) => text)])),
  };
}

function asked({ machine: from, to, port, protocol }: RandomProbe, sourcePort: number) {
  return { from, to, port, protocol, timeoutMs: 250, ...(protocol !== 'icmp' && { sourcePort }) };
}

interface Compared {
  readonly problems: readonly string[];
  readonly further: number;
  readonly isUnknown: boolean;
}

function compareProbe(
  tracer: NodeTracer,
  probe: RandomProbe,
  sourcePort: number,
  ways: KernelWays,
  outcome: ProbeOutcome | undefined,
): Compared {
  const isPorted = probe.protocol !== 'icmp';
  const from = isPorted ? `${probe.from}:${sourcePort}` : probe.from;
  const to = isPorted ? `${probe.to}:${probe.port}` : probe.to;
  const result = tracer.trace({ from, to, proto: probe.protocol });
  if ('kind' in result) return { problems: [result.message], further: 0, isUnknown: false };
  const isUnknown = result.outcomes.some(({ share }) => share === undefined);
  const own = result.outcomes.filter(({ first }) => isSame(eventTexts(first), ways.first));
  if (own.length === 0) {
    const nearest = result.outcomes.map(({ first }) => eventTexts(first));
    return { problems: [difference('the packet', ways.first, nearest)], further: 0, isUnknown };
  }
  const answers = own.map(({ reply }) => reply);
  // Whether an answer comes by the node is a matter of routes outside, and of chance only one way is walked.
  const isOne = answers.every((reply) => reply !== undefined && reply.flow.choices === undefined);
  const isTold = outcome?.kind === 'answered' || own.every(({ first }) => first.end.kind === 'rejected');
  const reply = isOne && isTold ? ways.reply : undefined;
  const later = isOne ? ways.later : undefined;
  const problems = [
    ...furtherProblem('the answer', reply, answers),
    ...furtherProblem(
      'the next packet',
      later,
      own.map((each) => each.later),
    ),
  ];
  return { problems, further: [reply, later].filter((way) => way !== undefined).length, isUnknown };
}

function furtherProblem(
  what: string,
  way: readonly string[] | undefined,
  walked: readonly (Ended | undefined)[],
): readonly string[] {
  if (way === undefined || walked.some((each) => each?.flow.choices !== undefined)) return [];
  const texts = walked.map((each) => (each === undefined ? [] : eventTexts(each)));
  return texts.some((each) => isSame(each, way)) ? [] : [difference(what, way, texts)];
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((text, at) => text === b[at]);
}

/** Where the ways part, of the one that goes along longest. */
function difference(what: string, kernel: readonly string[], walked: readonly (readonly string[])[]): string {
  const shared = (way: readonly string[]) => {
    const at = way.findIndex((text, place) => text !== kernel[place]);
    return at === -1 ? way.length : at;
  };
  const [nearest = []] = [...walked].sort((a, b) => shared(b) - shared(a));
  const at = shared(nearest);
  const before = nearest.slice(Math.max(0, at - 3), at).join(', ');
  return `${what}, after [${before}]: the kernel says ${kernel[at] ?? 'nothing more'}, the walk ${nearest[at] ?? 'nothing more'}`;
}

function eventTexts({ flow }: Ended): readonly string[] {
  return trailItems(flow.path).map(({ chain, rule, verdict, target, policy }) => {
    const { family, name, backend } = chain.table;
    const place = `${family} ${name} ${chain.name}`;
    if (verdict === 'policy') return backend === 'legacy' ? `${place} policy` : `${place} policy ${policy}`;
    if (verdict === 'end') return `${place} end`;
    if (backend === 'legacy') return `${place} #${rule?.number}`;
    return `${place} #${rule?.number} ${verdict}${target === undefined ? '' : ` ${target}`}`;
  });
}
