import type { BehaviourOptions } from '../behaviour/behaviourOptions.ts';
import type { BehaviourComparison } from '../behaviour/compareBehaviour.ts';
import type { ConversionCheck } from '../behaviour/convert/checkConversion.ts';
import type { Conversion } from '../behaviour/convert/convertObjects.ts';
import type { MigrationTarget } from '../behaviour/migrate/migrateObjects.ts';
import type { Migration } from '../behaviour/migrate/migration.ts';
import type { Reach, ReachOptions } from '../behaviour/reach/reach.ts';
import type { Report } from '../diagnostics/diagnostic.ts';
import type { Imported, ImportOptions } from '../import/importRules.ts';
import type { Loaded } from '../load/load.ts';
import type { NodeRules } from '../node/nodeRules.ts';
import type { Compiled } from '../pipeline/compile.ts';
import { type CompileOptions, compileInput } from '../pipeline/compileInput.ts';
import type { TargetOptions } from '../resolve/targetOptions.ts';
import type { NodeTracer, TraceObjects } from '../trace/nodeTracer.ts';
import { loadTexts } from './loadTexts.ts';

/** What rules do to packets, and what can be made of rules: comparisons of behaviour, changes of mode, manifests. */

/** The rules of a node, and what objects say of its Services and its network. */
export interface BehaviourInput {
  readonly rules: NodeRules;
  readonly objects?: TraceObjects | undefined;
}

/** How the objects are compiled today, and what for. */
export interface MigrateOptions extends CompileOptions {
  readonly to: MigrationTarget;
  readonly dump?: NodeRules | undefined;
}

/** Whose rules are converted, and what for. */
export interface ConvertOptions extends Omit<ImportOptions, 'isForRules'> {
  readonly to: MigrationTarget;
  /** Default: the families that the dump shows. */
  readonly family?: TargetOptions['family'];
}

/** What a dump was converted to, and what of it was read back. */
export interface Converted extends Conversion {
  readonly imported: Imported;
}

/** What two nodes do to packets, whatever their rules say: each class of packets that fares otherwise, with one of them. */
export async function compareBehaviour(
  a: BehaviourInput,
  b: BehaviourInput,
  options: BehaviourOptions = {},
): Promise<BehaviourComparison> {
  const [{ compareBehaviour: compare }, { behaviourSide }] = await behaviourModules();
  return compare(
    behaviourSide(a.rules.name, a.rules, a.objects),
    behaviourSide(b.rules.name, b.rules, b.objects),
    options,
  );
}

/** Follows packets through the rules of a node, as many as are asked about; the rules are read once. */
export async function nodeTracer({ rules, objects }: BehaviourInput): Promise<NodeTracer> {
  return (await import('../trace/nodeTracer.ts')).createNodeTracer(rules, objects);
}

/** Who reaches what through the rules of a node, by whom they are answered and with which source. */
export async function reach(input: BehaviourInput, options: ReachOptions = {}): Promise<Reach> {
  const [, { behaviourSide }, { reach: walk }] = await behaviourModules();
  const { unreadPolicies } = await import('../trace/known/unreadPolicies.ts');
  const otherPolicies = unreadPolicies(input.objects?.otherPolicies ?? [], input.rules);
  return { ...walk(behaviourSide(input.rules.name, input.rules, input.objects), options), otherPolicies };
}

/** Rules that were compiled, with the Services and the network that the objects tell of, for those two. */
export async function behaviourInput(
  compiled: Compiled,
  hasNfacct = false,
): Promise<BehaviourInput & { readonly objects: TraceObjects }> {
  return (await import('../trace/known/objectsOfManifests.ts')).objectsOfManifests(compiled, hasNfacct);
}

/**
 * What changes for these Services if kube-proxy runs in another mode or version, what that needs, and how to get there.
 * With a dump of a node kube-proxy's mode and version are those that it shows, and rules of others are looked at.
 * Undefined: an error was reported.
 */
export async function migrate(
  objects: Loaded['objects'],
  options: MigrateOptions,
  report: Report,
): Promise<Migration | undefined> {
  const { to, dump, ...from } = options;
  const input = compileInput(objects, from, report);
  return input && (await import('../behaviour/migrate/migrateObjects.ts')).migrateObjects(input, to, dump, report);
}

/**
 * Reads manifests back from the rules of a node: the Services, endpoints and settings of which kube-proxy makes them.
 * Undefined: no rules of kube-proxy were found, which was reported.
 */
export async function importRules(
  dump: NodeRules,
  options: ImportOptions,
  report: Report,
): Promise<Imported | undefined> {
  return (await import('../import/importRules.ts')).importRules(dump, options, report);
}

/** Imported manifests as text: YAML with remarks on what was made up, or a List in JSON; in pieces. */
export async function printImported(imported: Imported, form: 'yaml' | 'json' = 'yaml'): Promise<Iterable<string>> {
  if (form === 'json') return (await import('../import/manifests/printJson.ts')).printJson(imported.manifests);
  const [{ printYaml }, { importTitle }] = await Promise.all([
    import('../import/manifests/printYaml.ts'),
    import('../import/importTitle.ts'),
  ]);
  return printYaml(imported.manifests, importTitle(imported));
}

/**
 * The rules of a node as those of another mode or version of kube-proxy: what is read back from them, compiled for it.
 * Undefined: an error was reported.
 */
export async function convert(
  dump: NodeRules,
  { to, family, ...from }: ConvertOptions,
  report: Report,
): Promise<Converted | undefined> {
  const { convertDump } = await import('../behaviour/convert/convertDump.ts');
  return convertDump(dump, { ...from, family }, to, loadTexts, report);
}

/** Whether converted rules do to every packet what those of the dump do, beside what modes are known to do otherwise. */
export async function checkConversion(converted: Conversion, dump: NodeRules): Promise<ConversionCheck> {
  return (await import('../behaviour/convert/checkConversion.ts')).checkConversion(converted, dump);
}

function behaviourModules() {
  return Promise.all([
    import('../behaviour/compareBehaviour.ts'),
    import('../behaviour/behaviourSide.ts'),
    import('../behaviour/reach/reach.ts'),
  ]);
}
