import type { Report } from '../diagnostics/diagnostic.ts';
import type { CompiledForDump } from '../diff/settle/compileForDump.ts';
import type { Loaded } from '../load/loaded.ts';
import type { TextMemory } from '../load/textMemory.ts';
import type { Cluster } from '../model/cluster.ts';
import type { ExpectedRules } from '../node/expectedRules.ts';
import type { NodeRules, ToolRules } from '../node/nodeRules.ts';
import type { NodeFiles, NodeFilesOptions } from '../output/nodeFiles.ts';
import type { Checked } from '../pipeline/checkObjects.ts';
import type { Compiled, CompileInput } from '../pipeline/compile.ts';
import { type CompileOptions, compileInput } from '../pipeline/compileInput.ts';
import type { LintOptions } from '../pipeline/lint.ts';
import type { ModeCounts } from '../pipeline/modeCounts.ts';
import type { JudgePolicies } from '../pipeline/policyStops.ts';
import type { EndpointHome } from '../pipeline/search/endpointHomes.ts';
import type { Sharing, SharingOptions } from '../pipeline/sharing.ts';
import type { TargetOptions } from '../resolve/targetOptions.ts';
import type { KubeProxyConfigurationObject } from '../validate/kinds/kubeProxyConfigurationObject.ts';
import { areObjects } from './options/areObjects.ts';
import { areOptions, type OptionRules } from './options/checkOptions.ts';
import { compileRules, filesRules, lintRules, targetRules } from './options/optionRules.ts';
import { callback, flag, text } from './options/valueRule.ts';
import { type Result, resultOf } from './result.ts';

/** Objects to everything that is decided about a node's rules, and to the rules. */

/**
 * Decides everything about one node's rules. What a manifest lacks (cluster IPs, node ports) is filled in, with a warning
 * each, unless `allocates` is false.
 */
export async function compile(
  objects: Loaded['objects'],
  options: CompileOptions = {},
): Promise<Result<Compiled | undefined>> {
  return resultOf(async (report) => {
    const input = inputOf(objects, options, report);
    return input && (await import('../pipeline/compile.ts')).compile(input, report);
  });
}

/**
 * Gives all diagnostics about manifests: what `compile` reports, and what goes wrong although the API server accepts
 * it.
 */
export async function lint(
  objects: Loaded['objects'],
  options: LintOptions = {},
): Promise<Result<Compiled | undefined>> {
  return resultOf(async (report) => {
    const areFine = [areObjects(objects, report), areOptions(options, lintRules, report)];
    if (areFine.includes(false)) return undefined;
    const { cni, certificates, ...target } = options;
    const input = compileInput(objects, target, report);
    return input && (await import('../pipeline/lint.ts')).lint(input, { cni, certificates }, report);
  });
}

/** Objects without errors, and the options for compiling them. */
export interface CheckedObjects extends Checked {
  readonly input: CompileInput;
}

/** What `compile` does before it needs to know the node: for several nodes of one input it is done once. */
export async function checkObjects(
  objects: Loaded['objects'],
  options: CompileOptions = {},
): Promise<Result<CheckedObjects | undefined>> {
  return resultOf(async (report) => {
    const input = inputOf(objects, options, report);
    const checked = input && (await import('../pipeline/checkObjects.ts')).checkObjects(input, report);
    return input && checked && { ...checked, input };
  });
}

/** The rest of `compile`, for one node: `target` wins over the options that the objects were checked with. */
export async function compileNode(
  checked: CheckedObjects,
  target: Partial<TargetOptions> = {},
): Promise<Result<Compiled | undefined>> {
  return resultOf(async (report) => {
    if (!areOptions(target, targetRules, report)) return undefined;
    const { input } = checked;
    const own = { ...input, target: { ...input.target, ...target } };
    return (await import('../pipeline/compile.ts')).compileChecked(checked, own, report);
  });
}

/**
 * Compiles for a comparison with one dump: settings that were not given, and values that only a cluster knows, are those
 * that the dump shows.
 */
export async function compileForDump(
  objects: Loaded['objects'],
  dump: NodeRules,
  options: CompileOptions = {},
): Promise<Result<CompiledForDump | undefined>> {
  return resultOf(async (report) => {
    const input = inputOf(objects, options, report);
    return input && (await import('../diff/settle/compileForDump.ts')).compileForDump(input, dump, report);
  });
}

/** How objects are compiled beside a dump that is walked. */
export interface BesideDumpOptions extends CompileOptions {
  /** An address that the question names: the Node that has it is chosen. */
  readonly asked?: string | undefined;
  /** Told which Node was chosen, and why. */
  readonly onNodeChosen?: ((sentence: string) => void) | undefined;
}

const besideDumpRules: OptionRules<BesideDumpOptions> = { ...compileRules, asked: text, onNodeChosen: callback };

/**
 * Compiles objects beside a dump that is walked: names that a table of kubectl hides, and the Node, are those that the
 * dump shows.
 */
export async function compileBesideDump(
  objects: Loaded['objects'],
  dump: NodeRules | undefined,
  options: BesideDumpOptions = {},
): Promise<Result<Compiled | undefined>> {
  return resultOf(async (report) => {
    const areFine = [areObjects(objects, report), areOptions(options, besideDumpRules, report)];
    if (areFine.includes(false)) return undefined;
    const { asked, onNodeChosen = () => undefined, ...own } = options;
    const { compileBesideDump: compileBeside } = await import('../diff/settle/compileBesideDump.ts');
    const input = compileInput(objects, own, report);
    const compiled = input && compileBeside(input, dump, asked, onNodeChosen, report);
    if (compiled?.readAs === undefined || dump === undefined) return compiled;
    return (await import('../diff/settle/compiledAsDumped.ts')).readAsDumped(compiled, dump);
  });
}

/** Resolves all Services with their endpoints, for no node in particular: what targets beside rules are made of. */
export async function resolveCluster(
  objects: Loaded['objects'],
  options: CompileOptions = {},
): Promise<Result<Cluster | undefined>> {
  return resultOf(async (report) => {
    const input = inputOf(objects, options, report);
    if (input === undefined) return undefined;
    return (await import('../pipeline/read/readCluster.ts')).readCluster(
      objects,
      input.target,
      input.kubeVersion,
      report,
    );
  });
}

/** Reads and checks the settings of the option `configObjects`. The value is also undefined if there are none. */
export async function readSettings(options: CompileOptions): Promise<Result<KubeProxyConfigurationObject | undefined>> {
  return resultOf(async (report) => {
    const input = inputOf([], options, report);
    return input && (await import('../pipeline/read/readConfig.ts')).readConfig(input, report);
  });
}

/**
 * Makes the files of a node, by name: `iptables.v4.save`, `nft.v4.restore`, `apply.sh` …; each text is made when it is
 * asked for. The value is undefined only where options are wrong.
 */
export async function toFiles(
  compiled: Compiled,
  options: Partial<NodeFilesOptions> = {},
): Promise<Result<NodeFiles | undefined>> {
  return resultOf(async (report) => {
    if (!areOptions(options, filesRules, report)) return undefined;
    const { nodeFiles } = await import('../output/nodeFiles.ts');
    const all = { hasNfacct: false, policy: { backend: undefined }, isPolicyOnly: false, ...options };
    return nodeFiles(compiled, all, report);
  });
}

/** What of kube-proxy's rules depends on the node. */
export interface RulesOptions {
  /** The node has nfacct: versions from 1.31 on count with it. Default false. */
  readonly hasNfacct?: boolean;
}

/** How much of the rules will be asked for. */
export interface RulesRequest extends RulesOptions {
  /** Few chains will be asked for: in iptables mode those of a Service are made on request. Default false. */
  readonly isOnDemand?: boolean;
}

const rulesRules: OptionRules<RulesRequest> = { hasNfacct: flag, isOnDemand: flag };

/** kube-proxy's rules on the node as data. The value is undefined only where options are wrong. */
export async function rulesOf(
  compiled: Compiled,
  options: RulesRequest = {},
): Promise<Result<ExpectedRules['rules'] | undefined>> {
  return resultOf(async (report) => {
    if (!areOptions(options, rulesRules, report)) return undefined;
    const { hasNfacct = false, isOnDemand = false } = options;
    const { expectedRules } = await import('../pipeline/expected/expectedRules.ts');
    return expectedRules(compiled, { hasNfacct }, { isOnDemand }).rules;
  });
}

/** The rules of nft that enforce the NetworkPolicies of the input for the Pods of its node. */
export async function policyRulesOf(compiled: Compiled): Promise<Result<readonly ToolRules[]>> {
  return resultOf(async (report) => (await import('../pipeline/policyRules.ts')).policyRules(compiled, report));
}

/**
 * Judges packets by the policies of the input at Pods of other nodes, and beside a dump whose rules enforce no policies at those of its own
 * node, too. Undefined: there are no policies.
 */
export async function judgePoliciesOf(compiled: Compiled, dump?: NodeRules): Promise<JudgePolicies | undefined> {
  return (await import('../pipeline/policyStops.ts')).policyStops(compiled, dump);
}

/** Where endpoints run and which Pods they are, by address. */
export async function endpointHomes({ manifests }: CheckedObjects): Promise<ReadonlyMap<string, EndpointHome>> {
  return (await import('../pipeline/search/endpointHomes.ts')).endpointHomes(manifests, 'nodes and Pods');
}

/** How much each mode of the version puts on a node for these objects. */
export async function modeCounts(checked: CheckedObjects): Promise<readonly ModeCounts[]> {
  return (await import('../pipeline/modeCounts.ts')).modeCounts(checked, checked.input);
}

/**
 * What runs share, for several nodes of one cluster or for objects that are edited: each gives the results of a run that
 * shares nothing, sooner. Objects are recognized by their identity, and nobody may write to them.
 */
export interface SharedWork {
  /** Of `CompileOptions`. */
  readonly sharing: Sharing;
  /** Of `ReadOptions`. */
  readonly sound: import('../dump/soundLines.ts').SoundLines;
  /** Of `LoadTextsOptions`. */
  readonly texts: TextMemory;
}

/** For a few runs for one node: objects are checked once, and Services joined with endpoints. */
export async function shareChecks(): Promise<Sharing> {
  return (await import('../pipeline/sharing.ts')).shareChecks();
}

/** Work for runs to share. It lives as long as the caller keeps it, with what the last runs made. */
export async function shareWork(options: SharingOptions = {}): Promise<SharedWork> {
  const [{ createSharing }, { soundLines }, { textMemory }] = await Promise.all([
    import('../pipeline/sharing.ts'),
    import('../dump/soundLines.ts'),
    import('../load/textMemory.ts'),
  ]);
  return { sharing: createSharing(options), sound: soundLines(), texts: textMemory() };
}

/** Undefined: an option is wrong, which was reported. */
export function inputOf(objects: Loaded['objects'], options: CompileOptions, report: Report): CompileInput | undefined {
  const areFine = [areObjects(objects, report), areOptions(options, compileRules, report)];
  return areFine.includes(false) ? undefined : compileInput(objects, options, report);
}
