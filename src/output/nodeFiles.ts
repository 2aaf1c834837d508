import type { Report } from '../diagnostics/diagnostic.ts';
import { policiesGiven } from '../model/policiesGiven.ts';
import type { Compiled } from '../pipeline/compile.ts';
import { joinScripts } from '../script/joinScripts.ts';
import type { Artefact } from './artefact.ts';
import { artefacts } from './artefacts.ts';
import type { OutputOptions } from './outputOptions.ts';
import type { PolicyFiles } from './policies/policyArtefacts.ts';
import type { PolicyGuard } from './policies/policyProblems.ts';
import type { PolicySettings } from './policies/policySettings.ts';

export interface NodeFilesOptions extends OutputOptions, Partial<PolicyGuard> {
  /** Undefined: no rules for policies. */
  readonly policy: PolicySettings | undefined;
  readonly isPolicyOnly: boolean;
}

/** All files of one node. */
export interface NodeFiles {
  /** Undefined: the input has none, and they are not all that is asked for. */
  readonly policy: PolicyFiles | undefined;
  /** What `--out-dir` writes; `apply.sh` loads all of it. */
  readonly all: readonly Artefact[];
  /** What standard output is chosen from: rules of kube-proxy and of policies never stand in one text. */
  readonly printed: readonly Artefact[];
  readonly printsPolicies: boolean;
  /** The script removes the policies of earlier loads, and puts none in their place. */
  readonly removesPolicies: boolean;
}

/**
 * kube-proxy's files, and beside them those of the policies. Where the input concerns policies and has no Services, the
 * policies are what is printed and what `apply.sh` loads: empty Service rules would take a node's Services away. Policies
 * whose rules would open what they close are left out, and an error says so.
 */
export async function nodeFiles(compiled: Compiled, options: NodeFilesOptions, report: Report): Promise<NodeFiles> {
  const { isPolicyOnly } = options;
  const compiledPolicies = await policyFiles(compiled, options, report);
  const isRefused =
    compiledPolicies !== undefined && (await reportProblems(compiled, compiledPolicies, options, report));
  const policy = isRefused ? undefined : compiledPolicies;
  const proxy = isPolicyOnly ? [] : await artefacts(compiled, options, report);
  const written = proxy.filter(({ form }) => form !== 'list');
  if (policy === undefined)
    return { policy, all: written, printed: proxy, printsPolicies: isPolicyOnly, removesPolicies: false };
  const printsPolicies = arePrinted(compiled, policy, options);
  const isScript = ({ form }: Artefact) => form === 'script';
  const scripts = [...(printsPolicies ? [] : proxy), ...policy.artefacts].filter(isScript);
  const [only] = scripts;
  const apply: Artefact = {
    name: 'apply.sh',
    family: undefined,
    form: 'script',
    text: () =>
      only !== undefined && scripts.length === 1 ? only.text() : joinScripts(scripts.map(({ text }) => text())),
  };
  const all = [...written.filter((file) => !isScript(file)), ...policy.artefacts, apply];
  const lists = printsPolicies ? proxy.filter(({ form }) => form === 'list') : [];
  const rules = printsPolicies ? policy.artefacts : proxy;
  return {
    policy: printsPolicies || policy.policies > 0 ? policy : undefined,
    all,
    printed: [...rules.filter((file) => !isScript(file)), ...lists, apply],
    printsPolicies,
    removesPolicies: policy.policies === 0,
  };
}

/** Whether one of them is an error. */
async function reportProblems(
  compiled: Compiled,
  policy: PolicyFiles,
  options: NodeFilesOptions,
  report: Report,
): Promise<boolean> {
  const { policy: settings, guardsPolicies = 'always', allowsLostPolicies = false, isOneOfMany = false } = options;
  if (settings === undefined || policy.policies === 0) return false;
  if (guardsPolicies === 'whenPrinted' && !arePrinted(compiled, policy, options)) return false;
  const { policyProblems } = await import('./policies/policyProblems.ts');
  const problems = policyProblems(compiled, settings, { allowsLostPolicies, isOneOfMany });
  for (const problem of problems) report(problem);
  return problems.some(({ severity }) => severity === 'error');
}

function arePrinted(
  { plans, given }: Compiled,
  { policies }: PolicyFiles,
  { isPolicyOnly }: NodeFilesOptions,
): boolean {
  const hasServices = plans.some(({ services }) => services.length > 0);
  return isPolicyOnly || (policies > 0 ? !hasServices : given.services === 0);
}

/**
 * Input without policies may be of a cluster that has none any more, or of somebody who may not list them: those of earlier
 * loads are removed only where policies were asked for. Input of Services alone says nothing of policies.
 */
async function policyFiles(
  compiled: Compiled,
  { policy: settings, isPolicyOnly }: NodeFilesOptions,
  report: Report,
): Promise<PolicyFiles | undefined> {
  const { pods, namespaces } = compiled.policyManifests;
  if (settings === undefined) return undefined;
  if (policiesGiven(compiled.policyManifests) > 0) {
    const { policyArtefacts } = await import('./policies/policyArtefacts.ts');
    return policyArtefacts(compiled, settings, report);
  }
  if (!isPolicyOnly && pods.length === 0 && namespaces.length === 0) return undefined;
  if (!isPolicyOnly && settings.backend === undefined) return undefined;
  const { noPolicyArtefacts } = await import('./policies/noPolicyArtefacts.ts');
  return noPolicyArtefacts(compiled, settings, isPolicyOnly || compiled.given.services === 0);
}
