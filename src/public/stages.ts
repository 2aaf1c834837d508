import type { ProxyMode } from '../common/proxyMode.ts';
import type { Report } from '../diagnostics/diagnostic.ts';
import type { ModeDetection } from '../diff/detectDumped.ts';
import type { DumpFile } from '../dump/dumpFile.ts';
import type { ReadOptions } from '../dump/readDumps.ts';
import type { SoundLines } from '../dump/soundLines.ts';
import type { Loaded } from '../load/load.ts';
import type { Cluster } from '../model/cluster.ts';
import type { NodeRules, ToolRules } from '../node/nodeRules.ts';
import type { Checked, Compiled, CompileInput } from '../pipeline/compile.ts';
import { type CompileOptions, compileInput } from '../pipeline/compileInput.ts';
import type { EndpointHome } from '../pipeline/endpointHomes.ts';
import type { ModeCounts } from '../pipeline/modeCounts.ts';
import type { ReadPolicies, ReadPoliciesOptions } from '../pipeline/readPolicies.ts';
import type { Sharing } from '../pipeline/sharing.ts';
import type { TargetOptions } from '../resolve/targetOptions.ts';
import type { KubeProxyConfigurationObject } from '../validate/kubeProxyConfigurationObject.ts';

/** What `compile` and `diff` are made of, one step at a time: for several nodes of one input, or for a part of the answer. */

/** Objects without errors, and the options they are to be compiled with. */
export interface CheckedObjects extends Checked {
  readonly input: CompileInput;
}

/**
 * What `compile` does before it needs to know the node: for several nodes of one input it is done once. Undefined: an
 * error was reported.
 */
export async function checkObjects(
  objects: Loaded['objects'],
  options: CompileOptions,
  report: Report,
): Promise<CheckedObjects | undefined> {
  const input = compileInput(objects, options, report);
  const checked = input && (await import('../pipeline/compile.ts')).checkObjects(input, report);
  return input && checked && { ...checked, input };
}

/** The rest of `compile`, for one node: `target` wins over the options that the objects were checked with. */
export async function compileNode(
  checked: CheckedObjects,
  target: Partial<TargetOptions>,
  report: Report,
): Promise<Compiled | undefined> {
  const { input } = checked;
  const own = { ...input, target: { ...input.target, ...target } };
  return (await import('../pipeline/compile.ts')).compileChecked(checked, own, report);
}

/** Where endpoints run and which Pods they are, by address. */
export async function endpointHomes({ manifests }: CheckedObjects): Promise<ReadonlyMap<string, EndpointHome>> {
  return (await import('../pipeline/endpointHomes.ts')).endpointHomes(manifests, 'nodes and Pods');
}

/** NetworkPolicies, and the Pods and Namespaces that they are about. Undefined: an error was reported. */
export async function readPolicies(
  objects: Loaded['objects'],
  options: ReadPoliciesOptions,
  report: Report,
): Promise<ReadPolicies | undefined> {
  return (await import('../pipeline/readPolicies.ts')).readPolicies(objects, options, report);
}

/** How much each mode of the version puts on a node for these objects. */
export async function modeCounts(checked: CheckedObjects): Promise<readonly ModeCounts[]> {
  return (await import('../pipeline/modeCounts.ts')).modeCounts(checked, checked.input);
}

/** All Services with their endpoints, for no node in particular: what targets beside rules are made of. Undefined: an error was reported. */
export async function resolveCluster(
  objects: Loaded['objects'],
  options: CompileOptions,
  report: Report,
): Promise<Cluster | undefined> {
  const input = compileInput(objects, options, report);
  return (
    input && (await import('../pipeline/readCluster.ts')).readCluster(objects, input.target, input.kubeVersion, report)
  );
}

/** The checked settings of the options' `configObjects`. Undefined: an error was reported, or nothing was given. */
export async function readSettings(
  options: CompileOptions,
  report: Report,
): Promise<KubeProxyConfigurationObject | undefined> {
  const input = compileInput([], options, report);
  return input && (await import('../pipeline/readConfig.ts')).readConfig(input, report);
}

/**
 * What `compile` gives for objects beside a dump that is walked: names that a table of kubectl hides, and the Node, are
 * those that the dump shows. `asked` is an address that the question names; `say` is told which Node was chosen, and why.
 */
export async function compileBesideDump(
  objects: Loaded['objects'],
  dump: NodeRules | undefined,
  options: CompileOptions,
  report: Report,
  { asked, say }: { readonly asked?: string | undefined; readonly say: (sentence: string) => void },
): Promise<Compiled | undefined> {
  const { compileBesideDump: compileBeside } = await import('../diff/compileBesideDump.ts');
  const input = compileInput(objects, options, report);
  return input && compileBeside(input, dump, asked, say, report);
}

/** The rules of nft that enforce the NetworkPolicies of the input for the Pods of its node. */
export async function policyRulesOf(compiled: Compiled, report: Report): Promise<readonly ToolRules[]> {
  return (await import('../pipeline/policyRules.ts')).policyRules(compiled, report);
}

/**
 * The versions of kube-proxy that could have written the dumps of one node, for each mode that they show or for the one
 * that is asked. Undefined: they hold no rules of kube-proxy.
 */
export async function detectVersions(
  files: readonly DumpFile[],
  options: ReadOptions,
  mode?: ProxyMode,
): Promise<readonly ModeDetection[] | undefined> {
  return (await import('../diff/detectDumped.ts')).detectDumped(files, options, mode);
}

/** What runs for several nodes of one cluster share: each gives the results of a run that shares nothing, sooner. */
export interface SharedWork {
  /** Of `CompileOptions`. */
  readonly sharing: Sharing;
  /** Of `ReadOptions`. */
  readonly sound: SoundLines;
}

export async function sharedWork(): Promise<SharedWork> {
  const [{ createSharing }, { soundLines }] = await Promise.all([
    import('../pipeline/sharing.ts'),
    import('../dump/soundLines.ts'),
  ]);
  return { sharing: createSharing(), sound: soundLines() };
}
