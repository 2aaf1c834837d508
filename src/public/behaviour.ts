import type { BehaviourOptions } from '../behaviour/behaviourOptions.ts';
import type { BehaviourComparison } from '../behaviour/compareBehaviour.ts';
import type { ConversionCheck } from '../behaviour/convert/checkConversion.ts';
import type { Conversion } from '../behaviour/convert/convertObjects.ts';
import type { MigrationTarget as TargetVersion } from '../behaviour/migrate/migrateObjects.ts';
import type { Migration } from '../behaviour/migrate/migration.ts';
import type { Reach, ReachOptions } from '../behaviour/reach/reach.ts';
import type { Family } from '../common/addresses/family.ts';
import { onDemand } from '../common/onDemand.ts';
import { proxyModes } from '../common/proxy/proxyMode.ts';
import type { Report } from '../diagnostics/diagnostic.ts';
import type { Imported } from '../import/importRules.ts';
import type { Loaded } from '../load/loaded.ts';
import type { NodeRules } from '../node/nodeRules.ts';
import type { Compiled } from '../pipeline/compile.ts';
import { type CompileOptions, compileInput, versionOf } from '../pipeline/compileInput.ts';
import type { TargetOptions } from '../resolve/targetOptions.ts';
import type { TraceObjects } from '../trace/known/traceObjects.ts';
import type { RulesOptions } from './compile.ts';
import type { ImportOptions } from './dumps.ts';
import { loadTexts } from './objects.ts';
import { areObjects } from './options/areObjects.ts';
import { areOptions, type OptionRules } from './options/checkOptions.ts';
import { behaviourRules, compileRules, importRules, reachRules } from './options/optionRules.ts';
import { flag, kubeVersion, oneOf, record } from './options/valueRule.ts';
import { type Result, resultOf, told } from './result.ts';

/** What rules do to packets, and what can be made of rules: comparisons of behavior, changes of mode. */

/** The rules of a node, and what objects show about its Services and its network. */
export interface BehaviourInput {
  readonly rules: NodeRules;
  readonly objects?: TraceObjects | undefined;
  /** The families whose packets can be compared; default: those of the rules. */
  readonly families?: readonly Family[] | undefined;
  /** With `beside`: what of the node was not given, and is not compared, a sentence each. */
  readonly notCompared?: readonly string[];
}

export interface BehaviourInputOptions extends RulesOptions {
  /** Rules of a node that these will be compared with: what both have is kept once. */
  readonly like?: NodeRules | undefined;
  /**
   * Rules of a node: those of other programs in it count here, too, so that a comparison with it is about kube-proxy's; what was
   * not given of them is not compared.
   */
  readonly beside?: NodeRules | undefined;
}

const behaviourInputRules: OptionRules<BehaviourInputOptions> = { hasNfacct: flag, like: record, beside: record };

/**
 * Compiled rules, with the Services and the network that the objects show, and through 1.24 with the kubelet's rules that drop what
 * kube-proxy marks, unless those of a node count instead.
 */
export async function behaviourInput(
  compiled: Compiled,
  options: BehaviourInputOptions = {},
): Promise<Result<(BehaviourInput & { readonly objects: TraceObjects }) | undefined>> {
  return resultOf(async (report) => {
    if (!areOptions(options, behaviourInputRules, report)) return undefined;
    const { objectsOfManifests } = await import('../trace/known/objectsOfManifests.ts');
    const own = objectsOfManifests(compiled, options.hasNfacct ?? false, options.like);
    if (options.beside === undefined) {
      const { withKubeletRules } = await import('../pipeline/expected/withKubeletRules.ts');
      return onDemand({ objects: () => own.objects, rules: () => withKubeletRules(own.rules) });
    }
    const [{ rulesBeside }, { notShownNotes }] = await Promise.all([
      import('../behaviour/rulesBeside.ts'),
      import('../behaviour/partsNotShown.ts'),
    ]);
    const { notShown, ...known } = rulesBeside(own.rules, options.beside, compiled.model.config.ipvs.excludeCIDRs);
    const asked = compiled.plans.flatMap(({ family, services }) => (services.length > 0 ? family : []));
    return { objects: own.objects, ...known, notCompared: notShownNotes(notShown, asked) };
  });
}

/** Finds what two nodes do to packets, whatever their rules say: each class of packets that fares otherwise. */
export async function compareBehaviour(
  a: BehaviourInput,
  b: BehaviourInput,
  options: BehaviourOptions = {},
): Promise<Result<BehaviourComparison | undefined>> {
  return resultOf(async (report) => {
    if (!areOptions(options, behaviourRules, report)) return undefined;
    const [{ compareBehaviour: compare }, { behaviourSide }] = await behaviourModules();
    const [left, right] = [a, b].map(({ rules, objects, families }) =>
      behaviourSide(rules.name, rules, objects, families),
    );
    return left && right && compare(left, right, options);
  });
}

/** Finds which senders reach what through the rules of a node, who answers, and with which source. */
export async function reach(input: BehaviourInput, options: ReachOptions = {}): Promise<Result<Reach | undefined>> {
  return resultOf(async (report) => {
    if (!areOptions(options, reachRules, report)) return undefined;
    const [, { behaviourSide }, { reach: walk }] = await behaviourModules();
    const { unreadPolicies } = await import('../trace/known/unreadPolicies.ts');
    const otherPolicies = unreadPolicies(input.objects?.otherPolicies ?? [], input.rules);
    return { ...walk(behaviourSide(input.rules.name, input.rules, input.objects), options), otherPolicies };
  });
}

/** What kube-proxy runs as afterwards. */
export interface MigrationTarget extends Omit<TargetVersion, 'kubeVersion'> {
  readonly kubeVersion?: string | TargetVersion['kubeVersion'];
}

const toRules: OptionRules<MigrationTarget> = { mode: oneOf(...proxyModes), kubeVersion };

/** How the objects are compiled today, and what for. */
export interface MigrateOptions extends CompileOptions {
  readonly to: MigrationTarget;
  /** kube-proxy's mode and version today are those that it shows, and rules of others are looked at. */
  readonly dump?: NodeRules | undefined;
}

const migrateRules: OptionRules<MigrateOptions> = { ...compileRules, to: record, dump: record };

/** Shows what changes for these Services if kube-proxy runs in another mode or version, what that needs, and how to get there. */
export async function migrate(
  objects: Loaded['objects'],
  options: MigrateOptions,
): Promise<Result<Migration | undefined>> {
  return resultOf(async (report) => {
    const areFine = [areObjects(objects, report), areOptions(options, migrateRules, report)];
    const to = areFine.includes(false) ? undefined : targetOf(options.to, report);
    if (to === undefined) return undefined;
    const { to: _, dump, ...from } = options;
    const input = compileInput(objects, from, report);
    return input && (await import('../behaviour/migrate/migrateObjects.ts')).migrateObjects(input, to, dump, report);
  });
}

/** Whose rules are converted, and what for. */
export interface ConvertOptions extends Omit<ImportOptions, 'isForRules'> {
  readonly to: MigrationTarget;
  /** Default: the families that the dump shows. */
  readonly family?: TargetOptions['family'];
}

const { isForRules: _, ...importedRules } = importRules;
const convertRules: OptionRules<ConvertOptions> = {
  ...importedRules,
  to: record,
  family: oneOf('ipv4', 'ipv6', 'both'),
};

/** What a dump was converted to, and what of it was read back. */
export interface Converted extends Conversion {
  readonly imported: Imported;
}

/** Makes of the rules of a node those of another mode or version of kube-proxy: what is read back from them, compiled for it. */
export async function convert(dump: NodeRules, options: ConvertOptions): Promise<Result<Converted | undefined>> {
  return resultOf(async (report) => {
    const target = areOptions(options, convertRules, report) ? targetOf(options.to, report) : undefined;
    if (target === undefined) return undefined;
    const { to: _to, family, ...from } = options;
    const { convertDump } = await import('../behaviour/convert/convertDump.ts');
    const own = { ...from, kubeVersion: versionOf(from.kubeVersion), family };
    return convertDump(dump, own, target, (files, say) => told(loadTexts(files), say), report);
  });
}

/** Checks whether converted rules do to every packet what those of the dump do, beside what modes are known to do otherwise. */
export async function checkConversion(converted: Conversion, dump: NodeRules): Promise<ConversionCheck> {
  return (await import('../behaviour/convert/checkConversion.ts')).checkConversion(converted, dump);
}

function targetOf(to: MigrationTarget | undefined, report: Report): TargetVersion | undefined {
  if (!areOptions(to ?? {}, toRules, report)) return undefined;
  return { ...(to?.mode !== undefined && { mode: to.mode }), kubeVersion: versionOf(to?.kubeVersion) };
}

function behaviourModules() {
  return Promise.all([
    import('../behaviour/compareBehaviour.ts'),
    import('../behaviour/behaviourSide.ts'),
    import('../behaviour/reach/reach.ts'),
  ]);
}
