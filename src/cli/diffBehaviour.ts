import { InvalidArgumentError } from 'commander';
import type { BehaviourFinding } from '../behaviour/behaviourFinding.ts';
import { behaviourVerdict } from '../behaviour/behaviourVerdict.ts';
import { networkBeside } from '../behaviour/networkBeside.ts';
import { type SenderKind, senderKinds } from '../behaviour/packets/senderKinds.ts';
import type { Family } from '../common/addresses/family.ts';
import { jsonText } from '../common/text/jsonText.ts';
import type { Report } from '../diagnostics/diagnostic.ts';
import { changedMeanwhile } from '../findings/triage/withoutServices.ts';
import type { Snapshot } from '../load/loaded.ts';
import type { Sources } from '../load/sources.ts';
import { ipvsDevice } from '../netfilter/ipvs/ipvsDevice.ts';
import type { NodeRules } from '../node/nodeRules.ts';
import { type BehaviourComparison, type BehaviourInput, compareBehaviour } from '../public/core.ts';
import { orThrow } from '../public/result.ts';
import { serviceOfPort } from '../seen/names/serviceOfPort.ts';
import type { TraceObjects } from '../trace/known/traceObjects.ts';
import { readNodeDump } from './dumps/readNodeDump.ts';
import { reportReading } from './dumps/reportReading.ts';
import type { MessageOptions } from './options/commonOptions.ts';
import { type FactFile, type FactFlags, factFiles } from './options/factOptions.ts';
import type { LiveFlags } from './options/liveFlags.ts';
import { exitCodes } from './write/exitCodes.ts';
import type { Messages } from './write/messages.ts';
import { progressLine } from './write/progressLine.ts';
import { writeOut } from './write/writeOut.ts';

/** Options of `--compare behaviour`. */
export interface BehaviourFlags {
  readonly facts?: readonly string[];
  readonly factsB?: readonly string[];
  readonly entrance?: readonly SenderKind[];
  readonly limit?: number;
  readonly tolerance?: number;
  readonly state?: 'new' | 'established';
}

/** What the rules compile to that should be there. */
export interface ExpectedSide {
  readonly name: string;
  readonly rules: NodeRules;
  readonly objects: TraceObjects;
  /** The families of which the dump shows enough. */
  readonly families?: readonly Family[] | undefined;
  /** The dump that they are compared with, without the facts of this comparison. */
  readonly dump: NodeRules;
  readonly sources: Sources;
  /** That the manifests are from. */
  readonly snapshot?: Snapshot | undefined;
}

type Options = BehaviourFlags &
  LiveFlags &
  FactFlags &
  MessageOptions & { readonly output: string; readonly service?: string; readonly family?: 'ipv4' | 'ipv6' | 'both' };

/** What two sides do to packets, and what the sides are called. */
export interface ComparedBehaviour {
  readonly names: { readonly a: string; readonly b: string };
  readonly comparison: BehaviourComparison;
}

/** Why nothing can be compared; undefined: it can. */
export function misuseOfBehaviour(paths: readonly string[], hasManifests: boolean, { output }: Options) {
  if (output !== 'text' && output !== 'json') return `--compare behaviour prints text or json, not ${output}`;
  if (hasManifests) return paths.length === 0 ? 'give the dump of a node, or node/NAME with --live' : undefined;
  if (paths.length === 2) return undefined;
  return 'pass two dumps (files or folders), or manifests with -f and the dump of a node';
}

/** `diff --compare behaviour`: what rules do to packets, regardless of their text. Undefined: an error was reported. */
export async function diffBehaviour(
  paths: readonly string[],
  expected: ExpectedSide | undefined,
  options: Options,
  messages: Messages,
): Promise<ComparedBehaviour | undefined> {
  const first = factFiles(options).concat(factsOf(options.facts));
  const second = options.factsB === undefined ? first : factFiles(options).concat(factsOf(options.factsB));
  const [one, other] =
    expected === undefined
      ? [
          await readSide([paths[0] as string], options, first, messages),
          await readSide([paths[1] as string], options, second, messages),
        ]
      : [
          await withFacts(expected, options, first, messages),
          await readSide(paths, options, second, messages, hasFacts(options) ? undefined : expected.dump),
        ];
  if (one === undefined || other === undefined || messages.hasErrors()) return undefined;
  const { assumedNetwork } = await import('../behaviour/assumedNetwork.ts');
  const assumed = expected === undefined ? assumedNetwork([one, other]) : undefined;
  const input = (rules: NodeRules, against: NodeRules): BehaviourInput => {
    const objects = assumed === undefined ? expected?.objects : objectsOf(rules, against, assumed);
    const own = { rules, families: expected?.families };
    return objects === undefined ? own : { ...own, objects: withoutOthersDevice(objects, rules) };
  };
  const names = { a: expected?.name ?? one.name, b: other.name };
  messages.progress('rules read');
  const line = progressLine('destination', options.quiet);
  const comparison = await orThrow(
    compareBehaviour(input({ ...one, name: names.a }, other), input(other, one), {
      ...(options.tolerance !== undefined && { tolerance: options.tolerance }),
      ...(options.entrance && { entrances: options.entrance }),
      ...(options.service !== undefined && { service: options.service }),
      ...(options.state && { state: options.state }),
      onProgress: line.report,
    }),
  );
  line.end();
  messages.progress('compared');
  return { names, comparison };
}

/** Prints it, and returns the exit code. */
export async function printBehaviour({ names, comparison }: ComparedBehaviour, options: Options): Promise<number> {
  const limit = options.limit ?? Number.POSITIVE_INFINITY;
  if (options.output === 'json') {
    const { behaviourJson } = await import('../behaviour/behaviourJson.ts');
    writeOut(jsonText(behaviourJson(names, comparison, limit)));
  } else {
    const { behaviourText } = await import('../behaviour/behaviourText.ts');
    writeOut([behaviourText(names, comparison, { limit, isVerbose: options.verbose })]);
  }
  return { same: exitCodes.ok, different: exitCodes.differs, unknown: exitCodes.undecided }[
    behaviourVerdict(comparison)
  ];
}

export function differs({ findings, open }: BehaviourComparison): boolean {
  return findings.length > 0 || open.length > 0;
}

/**
 * Without Services that changed while the node was read: their packets may go either way now. They are named in a note,
 * where something about them differed.
 */
export function withoutChanging(
  { names, comparison }: ComparedBehaviour,
  changing: ReadonlySet<string>,
  report: Report,
): ComparedBehaviour {
  const left = new Set<string>();
  const isSettled = ({ name: { service } }: BehaviourFinding) => {
    const changed = service === undefined ? undefined : serviceOfPort(service);
    if (changed === undefined || !changing.has(changed)) return true;
    left.add(changed);
    return false;
  };
  const [findings, open] = [comparison.findings.filter(isSettled), comparison.open.filter(isSettled)];
  if (left.size === 0) return { names, comparison };
  report({ code: 'services-changing', severity: 'note', message: changedMeanwhile(left), at: [] });
  return { names, comparison: { ...comparison, findings, open } };
}

/** Reads `pod,outside`. */
export function readEntrances(text: string, before: readonly SenderKind[] | undefined): readonly SenderKind[] {
  const kinds = text.split(',').map((word) => word.trim());
  const unknown = kinds.find((kind) => !(senderKinds as readonly string[]).includes(kind));
  if (unknown !== undefined) {
    throw new InvalidArgumentError(`unknown entrance ${unknown}: choose from ${senderKinds.join(', ')}`);
  }
  return [...(before ?? []), ...(kinds as SenderKind[])];
}

function factsOf(paths: readonly string[] | undefined): readonly FactFile[] {
  return (paths ?? []).map((path): FactFile => ({ path, kind: 'facts' }));
}

function hasFacts({ facts, factsB }: Options): boolean {
  return facts !== undefined || factsB !== undefined;
}

/** `read`: the dump was read before. */
async function readSide(
  paths: readonly string[],
  { family, liveNodes }: Options,
  facts: readonly FactFile[],
  messages: Messages,
  read?: NodeRules,
): Promise<NodeRules | undefined> {
  const dump = read ?? (await readNodeDump(paths, { family, facts, isCompared: false, liveNodes }, messages));
  if (dump !== undefined) reportReading(dump, messages.report);
  return dump;
}

/** Expected rules, with the given facts. */
async function withFacts(
  { rules, objects, dump }: ExpectedSide,
  { family }: Options,
  facts: readonly FactFile[],
  messages: Messages,
): Promise<NodeRules | undefined> {
  if (facts.length === 0) return { ...rules, network: networkBeside(dump.network, objects.network) };
  const read = await readNodeDump([], { family, facts, isCompared: true }, messages);
  return read && { ...rules, network: read.network };
}

/** The network that one dump shows also counts for the other if that shows none: it is one node, before and after. */
function objectsOf(own: NodeRules, other: NodeRules, assumed: TraceObjects): TraceObjects | undefined {
  const isShown = ({ network }: NodeRules) => network.interfaces.length > 0 || network.routes.length > 0;
  if (isShown(own)) return undefined;
  return isShown(other) ? { services: [], network: other.network, assumed: new Map() } : assumed;
}

/** Only IPVS mode has kube-ipvs0: what shows it on one side proves nothing about the other, in another mode. */
function withoutOthersDevice(objects: TraceObjects, { ipvs, addresses }: NodeRules): TraceObjects {
  if (ipvs.length > 0 || addresses.length > 0) return objects;
  const { network } = objects;
  return {
    ...objects,
    network: {
      ...network,
      interfaces: network.interfaces.filter(({ name }) => name !== ipvsDevice),
      routes: network.routes.filter(({ device }) => device !== ipvsDevice),
    },
  };
}
