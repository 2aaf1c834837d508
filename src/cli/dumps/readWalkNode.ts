import type { Command } from 'commander';
import { cidrAddress } from '../../common/addresses/cidr.ts';
import type { Family } from '../../common/addresses/family.ts';
import { canonicalIp } from '../../common/addresses/ip.ts';
import type { ProxyMode } from '../../common/proxy/proxyMode.ts';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import type { DumpFile } from '../../dump/dumpFile.ts';
import type { SoundLines } from '../../dump/soundLines.ts';
import type { Finding } from '../../findings/finding.ts';
import { noSources } from '../../load/noSources.ts';
import type { Sources } from '../../load/sources.ts';
import { policiesGiven } from '../../model/policiesGiven.ts';
import type { SearchEndpoints } from '../../node/chains/endpointSearch.ts';
import type { NodeRules, ToolRules } from '../../node/nodeRules.ts';
import {
  type BehaviourInput,
  behaviourInput,
  type Compiled,
  type CompiledForDump,
  compileBesideDump,
  compileForDump,
  judgePoliciesOf,
  policyRulesOf,
  shareChecks,
} from '../../public/core.ts';
import { orThrow, told } from '../../public/result.ts';
import { nodeOfQuestion } from '../../trace/known/nodeOfQuestion.ts';
import type { TraceObjects } from '../../trace/known/traceObjects.ts';
import { withOwnAddress } from '../../trace/known/withOwnAddress.ts';
import { readParty } from '../../trace/question/readParty.ts';
import { endAndProtocol } from '../../trace/question/withProtocol.ts';
import { addressText } from '../../walk/values/text.ts';
import { type BegunDump, begunDump } from '../long/begunDump.ts';
import type { LongPurpose } from '../long/longFile.ts';
import { readLongNodeDump } from '../long/readLongNodeDump.ts';
import { rulesNeeds, withPods, withPolicies } from '../objects/liveNeeds.ts';
import type { ReadInput } from '../objects/readInput.ts';
import { refuseUnshownNft } from '../objects/refuseUnshownMode.ts';
import { addManifestOptions, collect, type InputOptions } from '../options/commonOptions.ts';
import { addFactOptions, type FactFile, type FactFlags, factFiles } from '../options/factOptions.ts';
import { addNodeOptions } from '../options/liveOptions.ts';
import { addTargetOptions, type TargetFlags } from '../options/targetOptions.ts';
import type { Messages } from '../write/messages.ts';
import { type DumpReading, readNodeDump } from './readNodeDump.ts';
import { reportReading } from './reportReading.ts';

/** Options of commands that walk packets: where rules and facts come from. */
export interface WalkFlags extends FactFlags, TargetFlags, Partial<InputOptions> {
  readonly facts?: readonly string[];
  readonly ipset?: readonly string[];
  /** For commands that are about one packet. */
  readonly from?: string;
  readonly to?: string;
  /** False: NetworkPolicies of the manifests are left out. */
  readonly policies?: boolean;
}

export function addWalkOptions(command: Command): Command {
  addManifestOptions(command)
    .option('--facts <file>', 'interfaces, routes, sysctls and Pods as one k8snet.facts/v1 document', collect)
    .option('--ipset <file>', 'what `ipset save` prints', collect)
    .option('--no-policies', 'leave the NetworkPolicies of the manifests out');
  addNodeOptions(command);
  addFactOptions(command);
  addTargetOptions(command);
  return command;
}

/** The rules to walk, and what objects show about names and the network. */
export interface WalkNode {
  readonly node: NodeRules;
  readonly objects: TraceObjects | undefined;
  readonly sources: Sources;
  /** The node's addresses, from options if neither the dump nor objects show them. */
  readonly ownAddresses?: readonly string[];
  /** The manifests compiled for a comparison with the dump, for callers that ask for it. */
  readonly expected?: CompiledForDump | undefined;
  /** If the node's routes lead Pods of the manifests away, or nowhere. */
  readonly routeFindings?: readonly Finding[];
}

/** What was read for several nodes at once, or for earlier ones. */
export interface SharedReading {
  readonly manifests?: ReadInput | undefined;
  readonly texts?: readonly DumpFile[] | undefined;
  readonly sound?: SoundLines | undefined;
  /** Chains of Services in a long dump stay bytes until they are needed; undefined: all of them are. */
  readonly purpose?: LongPurpose | undefined;
}

/** Problems are reported; then it is undefined. */
export async function readWalkNode(
  paths: readonly string[],
  options: WalkFlags,
  messages: Messages,
  isCompared = false,
  shared: SharedReading = {},
): Promise<WalkNode | undefined> {
  const family = options.family === 'both' ? undefined : options.family;
  const facts = [...factFiles(options), ...furtherFacts(options)];
  const isDumped = paths.length > 0 || facts.length > 0;
  const { filename } = options;
  const isDumpWalked = paths.length > 0;
  const long = beginLong(paths, facts, family, shared);
  const early = long && filename && (await readEarly(filename, options, isDumpWalked && !isCompared, messages));
  const { dump, search } = isDumped
    ? await readDump(paths, { ...options, family, facts, ...shared, long }, messages)
    : { dump: undefined, search: undefined };
  if (dump !== undefined) reportReading(dump, messages.report);
  const asked = { options, dump, isDumpWalked, isCompared, search, early, known: shared.manifests };
  const compiled = filename === undefined ? undefined : await readObjects({ ...asked, filename }, messages);
  const sources = compiled?.sources ?? noSources;
  await refuseUnshownNft(isDumpWalked ? dump : undefined, compiled?.mode ?? options.mode, messages);
  const node = isDumpWalked
    ? dump
    : compiled?.rules && dump
      ? { ...compiled.rules, network: dump.network }
      : compiled?.rules;
  if (node === undefined && !messages.hasErrors()) {
    const message = 'there are no rules to walk: pass dumps of a node, or manifests with -f; --live reads a cluster';
    messages.report({ code: 'bad-option', severity: 'error', message, at: [] });
  }
  if (node === undefined || messages.hasErrors()) {
    await messages.flush(sources);
    return undefined;
  }
  const ownAddresses = compiled === undefined ? addressesGiven(options) : [];
  if (ownAddresses.length > 0) {
    const objects = withOwnAddress(node.network, undefined, ownAddresses, 'as given');
    return { node, objects: objects && { ...objects, family }, sources, ownAddresses };
  }
  const objects = compiled?.objects && { ...compiled.objects, family };
  const { expected, routeFindings = [] } = compiled ?? {};
  return { node, objects, sources, ...(expected && { expected }), routeFindings };
}

type LongReading = ReturnType<typeof readLongNodeDump>;

/** A long dump is read in the background. */
function beginLong(
  paths: readonly string[],
  facts: readonly FactFile[],
  family: Family | undefined,
  { purpose, texts }: SharedReading,
): LongReading {
  if (purpose === undefined || facts.length > 0 || texts !== undefined) return undefined;
  return readLongNodeDump(paths, family, purpose);
}

async function readDump(
  paths: readonly string[],
  { long, ...options }: Omit<DumpReading, 'isCompared' | 'bytes'> & { readonly long: LongReading },
  messages: Messages,
): Promise<BegunDump> {
  return begunDump(long, (bytes) => readNodeDump(paths, { ...options, isCompared: false, bytes }, messages));
}

/** Manifests that are read before the dump is there, and their problems, which are reported after those of the dump. */
interface EarlyManifests {
  readonly manifests: ReadInput;
  readonly said: readonly Diagnostic[];
}

async function readEarly(
  filename: readonly string[],
  options: WalkFlags,
  isWithoutPolicies: boolean,
  messages: Messages,
): Promise<EarlyManifests> {
  const said: Diagnostic[] = [];
  const quiet = { ...messages, report: (diagnostic: Diagnostic) => said.push(diagnostic) };
  const manifests = await readManifests(filename, options, isWithoutPolicies, quiet);
  return { manifests, said };
}

async function readManifests(
  filename: readonly string[],
  options: WalkFlags,
  isWithoutPolicies: boolean,
  messages: Messages,
): Promise<ReadInput> {
  const { readInput } = await import('../objects/readInput.ts');
  const flags = { ...options, filename, recursive: options.recursive ?? false };
  const decides = options.policies !== false && !isWithoutPolicies;
  const needs = decides ? withPolicies(rulesNeeds(options)) : withPods(rulesNeeds(options));
  return readInput(flags, messages, true, needs);
}

function addressesGiven({ nodeIp = [], nodeAddress = [] }: WalkFlags): readonly string[] {
  return [...nodeIp, ...nodeAddress.flatMap((text) => cidrAddress(text) ?? canonicalIp(text) ?? [])];
}

function furtherFacts({ facts = [], ipset = [] }: WalkFlags): readonly FactFile[] {
  return [
    ...facts.map((path): FactFile => ({ path, kind: 'facts' })),
    ...ipset.map((path): FactFile => ({ path, kind: 'ipset' })),
  ];
}

interface ObjectsAsked {
  readonly options: WalkFlags;
  readonly filename: readonly string[];
  readonly dump: NodeRules | undefined;
  readonly isDumpWalked: boolean;
  readonly isCompared: boolean;
  /** Looks for chains of endpoints in the dump in parallel. */
  readonly search: SearchEndpoints | undefined;
  readonly known: ReadInput | undefined;
  readonly early: EarlyManifests | undefined;
}

interface ObjectsRead extends Partial<BehaviourInput>, Pick<WalkNode, 'sources' | 'expected' | 'routeFindings'> {
  /** kube-proxy's mode, where it is known. */
  readonly mode?: ProxyMode | undefined;
}

/** A separate function, so nothing else refers to the objects while packets are walked. */
async function readObjects(asked: ObjectsAsked, messages: Messages): Promise<ObjectsRead> {
  const { options, filename, dump, isDumpWalked } = asked;
  for (const diagnostic of asked.early?.said ?? []) messages.report(diagnostic);
  const manifests =
    asked.known ??
    asked.early?.manifests ??
    (await readManifests(filename, options, isDumpWalked && !asked.isCompared, messages));
  const { objects: given, sources } = manifests;
  // Nodes of one input may be named one by one.
  const target = asked.known
    ? { ...manifests.options, ...(options.node && { node: options.node }) }
    : manifests.options;
  // What is compiled again is not checked again.
  const sharing = target.sharing ?? (asked.isCompared ? await shareChecks() : undefined);
  let chosen = false;
  const say = (message: string) => {
    chosen = true;
    reportNode(message, messages);
  };
  const beside = {
    ...target,
    sharing,
    asked: addressAsked(options),
    onNodeChosen: say,
    chooseNode: nodeOfQuestion(options, (sentence) => reportMet(sentence, messages)),
  };
  const compiled = await told(compileBesideDump(given, dump, beside), messages.report);
  if (compiled === undefined) return { sources };
  const input = await orThrow(behaviourInput(compiled, { hasNfacct: options.nfacct }));
  if (input === undefined) return { sources };
  // The rules take as long as everything else, and a dump has its own.
  const isJudged = options.policies !== false && (asked.isCompared || !isDumpWalked);
  const judgePolicies = isJudged ? await judgePoliciesOf(compiled, isDumpWalked ? dump : undefined) : undefined;
  const own = {
    ...(isDumpWalked ? {} : input),
    objects: { ...input.objects, judgePolicies },
    mode: compiled.isModeKnown ? compiled.model.config.mode : undefined,
  };
  if (asked.isCompared) {
    // The same node is meant.
    const again = chosen ? { ...target, node: compiled.model.node.name } : manifests.options;
    const how = { ...again, sharing, search: asked.search };
    // Their problems were reported above.
    return { sources, ...own, expected: dump && (await told(compileForDump(given, dump, how), () => {})) };
  }
  if (isDumpWalked && dump !== undefined) return { sources, ...own, routeFindings: await routesBeside(compiled, dump) };
  if (!isJudged) return { sources, ...own };
  const { nft, ...rules } = input.rules;
  return { sources, ...own, rules: { ...rules, nft: [...nft, ...(await policiesOf(compiled, messages))] } };
}

async function routesBeside(compiled: Compiled, dump: NodeRules): Promise<readonly Finding[]> {
  if (dump.network.routes.length === 0) return [];
  const { podRouteChecks } = await import('../../findings/checks/node/podRouteChecks.ts');
  return podRouteChecks(compiled, dump);
}

function addressAsked({ to }: WalkFlags): string | undefined {
  const party = to === undefined ? undefined : readParty(endAndProtocol(to)?.to ?? to);
  return party?.kind === 'address' ? addressText(party.address) : undefined;
}

function reportNode(message: string, { report }: Messages): void {
  report({ code: 'node-from-dump', severity: 'note', message, at: [], hint: '--node names another' });
}

function reportMet(message: string, { report }: Messages): void {
  report({ code: 'node-from-question', severity: 'note', message, at: [], hint: '--node names another' });
}

/** A question to manifests, whether something would work, includes their policies. */
async function policiesOf(compiled: Compiled, { report }: Messages): Promise<readonly ToolRules[]> {
  const count = policiesGiven(compiled.policyManifests);
  if (count === 0) return [];
  report({
    code: 'policies-walked',
    severity: 'note',
    message: `${count === 1 ? 'the policy of the manifests takes part' : `${count} policies of the manifests take part`}, as compile --policy nftables enforces ${count === 1 ? 'it' : 'them'} for Pods of this node`,
    at: [],
    hint: '--no-policies leaves them out; k8snet policy test judges both ends',
  });
  return told(policyRulesOf(compiled), report);
}
