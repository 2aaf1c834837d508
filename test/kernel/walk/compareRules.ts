import { dumpNode } from '../../../src/lab/dumpNode.ts';
import type { Lab } from '../../../src/lab/openLab.ts';
import type { Namespace } from '../../../src/lab/openNamespace.ts';
import { forgetClients } from '../../../src/lab/probes/forgetClients.ts';
import { type ProbeOutcome, runProbes } from '../../../src/lab/probes/runProbes.ts';
import { runIn, tryIn } from '../../../src/lab/runIn.ts';
import type { NetworkPod } from '../../../src/node/networkFacts.ts';
import type { NodeRules } from '../../../src/node/nodeRules.ts';
import { createNodeTracer, type NodeTracer } from '../../../src/trace/nodeTracer.ts';
import { type KernelWays, kernelWays, type Rulebook, tracingTable } from './kernelWays.ts';
import { loadParts, type RulePart } from './loadParts.ts';
import type { TraceReader } from './openTraceReader.ts';
import { type WalkedOutcome, walkedOutcome } from './walkedWays.ts';
import { wayProblems } from './wayProblems.ts';

/** A node that rules are loaded into, and everybody whose packets come by it. */
export interface Ground {
  readonly lab: Lab;
  readonly node: Namespace;
  readonly pods: readonly NetworkPod[];
  readonly reader: TraceReader;
}

export interface SentProbe {
  readonly machine: string;
  /** As `trace --from` takes it, without a port. */
  readonly from: string;
  readonly to: string;
  readonly port: number;
  readonly protocol: 'tcp' | 'udp' | 'sctp' | 'icmp';
  readonly in?: string;
  readonly physin?: string;
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

/** Loads rules, sends each probe, and holds the kernel's trace of its packets against the walk. */
export async function compareRules(
  ground: Ground,
  parts: readonly RulePart[],
  probes: readonly SentProbe[],
  sourcePorts: { next: number },
): Promise<Comparison | string> {
  const { node } = ground;
  const refused = await loadParts(node, parts);
  if (refused !== undefined) return refused;
  await emptyKept(node);
  const dump = withPods(await dumpNode(node, 'n1'), ground.pods);
  let listen = await beginTrace(ground, dump);
  // What one packet uses up the next one lacks.
  const isUsedUp = parts.some(([, text]) => /limit /.test(text));
  const tracer = createNodeTracer(dump);
  const problems: string[] = [];
  let compared = 0;
  let further = 0;
  let unknown = 0;
  const walked = async (probe: SentProbe) => {
    // Another one each time, so that no connection is known already.
    const sourcePort = sourcePorts.next;
    sourcePorts.next += 1;
    if (isUsedUp) {
      await loadParts(node, parts);
      listen = await beginTrace(ground, dump);
    }
    await forgetClients(node, dump);
    await emptyKept(node);
    const ways = await listen(probe, sourcePort);
    const outcomes = walkProbe(tracer, probe, sourcePort);
    if (typeof outcomes === 'string') return { problems: [outcomes], further: 0, isUnknown: false };
    return { ...wayProblems(outcomes, ways), isUnknown: outcomes.some(({ share }) => share === '?') };
  };
  for (const probe of probes) {
    const first = await walked(probe);
    // A late packet of a connection before fills what was just emptied: what is wrong is wrong a second time.
    const isFilled = first.problems.length > 0 && parts.some(([, text]) => /\bkept\b/.test(text));
    const result = isFilled ? await walked(probe) : first;
    compared += 1;
    further += result.further;
    unknown += result.isUnknown ? 1 : 0;
    for (const text of result.problems) problems.push(`${probeText(probe)}: ${text}`);
  }
  return { compared, further, unknown, problems };
}

/** What rules add to. */
async function emptyKept(node: Namespace): Promise<void> {
  for (const name of ['kept', 'kept6']) await tryIn(node, ['ipset', 'flush', name]);
}

/** What the walk says of a probe; text: why it cannot. */
export function walkProbe(tracer: NodeTracer, probe: SentProbe, sourcePort: number): readonly WalkedOutcome[] | string {
  const isPorted = probe.protocol !== 'icmp';
  const { protocol, in: device, physin } = probe;
  const from = isPorted ? endText(probe.from, sourcePort) : probe.from;
  const to = isPorted ? endText(probe.to, probe.port) : probe.to;
  const result = tracer.trace({ from, to, proto: protocol, in: device, physin }, { user: 0 });
  return 'kind' in result ? result.message : result.outcomes.map(walkedOutcome);
}

function endText(address: string, port: number): string {
  return address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`;
}

function probeText({ from, to, port, protocol }: SentProbe): string {
  return `${protocol} from ${from} to ${protocol === 'icmp' ? to : endText(to, port)}`;
}

/** Nobody calls `idle`: its rule has the kernel track connections, as on every node. */
const tracing = `table inet ${tracingTable} {
  chain idle { ct state new accept; }
  chain in { type filter hook prerouting priority -500; meta nftrace set 1; }
  chain out { type filter hook output priority -500; meta nftrace set 1; }
}
`;

export function withPods(rules: NodeRules, pods: readonly NetworkPod[]): NodeRules {
  return { ...rules, network: { ...rules.network, node: 'n1', pods } };
}

/** Turns the kernel's trace on, for the rules that are loaded; gives the way of each probe that is sent from then on. */
export async function beginTrace(
  { lab, node, reader }: Ground,
  dump: NodeRules,
): Promise<(probe: SentProbe, sourcePort: number) => Promise<KernelWays>> {
  const book = await rulebook(node, dump);
  await runIn(node, ['nft', '-f', '-'], tracing);
  return async (probe, sourcePort) => {
    await reader.read();
    const [[outcome] = []] = await runProbes(lab, [asked(probe, sourcePort)]);
    const ways = kernelWays(await reader.read(), book, sourcePort);
    // A chain of the device may drop it, before the trace begins.
    if (
      ways === undefined &&
      dump.nft.some(({ tables }) => [...tables.keys()].some((name) => name.startsWith('netdev ')))
    ) {
      return { first: [], later: undefined, reply: undefined };
    }
    if (ways === undefined) throw new Error(`the node did not see ${probeText(probe)}`);
    const answer = outcome?.kind === 'answered' && probe.protocol !== 'icmp' ? answerText(outcome) : undefined;
    return answer === undefined ? ways : { ...ways, answer };
  };
}

function answerText({ by, sawSource, sawPort }: Extract<ProbeOutcome, { kind: 'answered' }>): string {
  return `${endText(sawSource, sawPort)} > ${by}`;
}

async function rulebook(node: Namespace, dump: NodeRules): Promise<Rulebook> {
  const listing = await runIn(node, ['nft', '-a', '-n', 'list', 'ruleset']);
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
  const tracer = createNodeTracer(dump);
  const families = ['ipv4', 'ipv6'] as const;
  // inet tables are those of both.
  const tables = families.flatMap((family) => tracer.tracerOf(family).input.tables);
  const chains = tables.flatMap(({ backend, family, name, chains: own }) =>
    [...own.values()].map((each) => ({ backend, place: `${family} ${name} ${each.name}`, chain: each })),
  );
  const legacy = chains.filter(({ backend }) => backend === 'legacy');
  return {
    numbers,
    baseChains: new Set(chains.filter((each) => each.chain.base !== undefined).map(({ place }) => place)),
    legacyRules: new Map(legacy.map((each) => [each.place, each.chain.rules().map(({ text }) => text)])),
  };
}

function asked({ machine: from, from: address, to, port, protocol }: SentProbe, sourcePort: number) {
  return {
    from,
    to,
    port,
    protocol,
    timeoutMs: 250,
    ...(address !== 'node' && { sourceAddress: address }),
    ...(protocol !== 'icmp' && { sourcePort }),
  };
}
