import { InvalidArgumentError } from 'commander';
import { type SenderKind, senderKinds } from '../behaviour/packets/senderKinds.ts';
import { jsonText } from '../common/text/jsonText.ts';
import type { Sources } from '../load/sources.ts';
import { ipvsDevice } from '../netfilter/ipvs/ipvsDevice.ts';
import type { NodeRules } from '../node/nodeRules.ts';
import { type BehaviourInput, compareBehaviour } from '../public/core.ts';
import { orThrow } from '../public/result.ts';
import type { TraceObjects } from '../trace/known/traceObjects.ts';
import { readNodeDump } from './dumps/readNodeDump.ts';
import { reportReading } from './dumps/reportReading.ts';
import type { MessageOptions } from './options/commonOptions.ts';
import { type FactFile, type FactFlags, factFiles } from './options/factOptions.ts';
import type { LiveFlags } from './options/liveFlags.ts';
import { refuseOption } from './options/refuseOption.ts';
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
  /** The dump that they are compared with, without the facts of this comparison. */
  readonly dump: NodeRules;
  readonly sources: Sources;
}

type Options = BehaviourFlags &
  LiveFlags &
  FactFlags &
  MessageOptions & { readonly output: string; readonly service?: string; readonly family?: 'ipv4' | 'ipv6' | 'both' };

/** `diff --compare behaviour`: what rules do to packets, regardless of their text. */
export async function diffBehaviour(
  paths: readonly string[],
  expected: ExpectedSide | undefined,
  options: Options,
  messages: Messages,
): Promise<number> {
  if (options.output !== 'text' && options.output !== 'json') {
    return refuseOption(messages, 'diff', `--compare behaviour prints text or json, not ${options.output}`);
  }
  if (expected === undefined && paths.length !== 2) {
    return refuseOption(
      messages,
      'diff',
      'pass two dumps (files or folders), or manifests with -f and the dump of a node',
    );
  }
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
  if (one === undefined || other === undefined || messages.hasErrors()) return exitCodes.badInput;
  const { assumedNetwork } = await import('../behaviour/assumedNetwork.ts');
  const assumed = expected === undefined ? assumedNetwork([one, other]) : undefined;
  const input = (rules: NodeRules, against: NodeRules): BehaviourInput => {
    const objects = assumed === undefined ? expected?.objects : objectsOf(rules, against, assumed);
    return { rules, ...(objects && { objects: withoutOthersDevice(objects, rules) }) };
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
  const limit = options.limit ?? Number.POSITIVE_INFINITY;
  if (options.output === 'json') {
    const { behaviourJson } = await import('../behaviour/behaviourJson.ts');
    writeOut(jsonText(behaviourJson(names, comparison, limit)));
  } else {
    const { behaviourText } = await import('../behaviour/behaviourText.ts');
    writeOut([behaviourText(names, comparison, { limit, isVerbose: options.verbose })]);
  }
  return comparison.findings.length > 0 || comparison.open.length > 0 ? exitCodes.differs : exitCodes.ok;
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
  { rules }: ExpectedSide,
  { family }: Options,
  facts: readonly FactFile[],
  messages: Messages,
): Promise<NodeRules | undefined> {
  if (facts.length === 0) return rules;
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
