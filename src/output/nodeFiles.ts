import type { Report } from '../diagnostics/diagnostic.ts';
import type { Compiled } from '../pipeline/compile.ts';
import { joinScripts } from '../script/joinScripts.ts';
import type { Artefact } from './artefact.ts';
import { artefacts } from './artefacts.ts';
import type { OutputOptions } from './outputOptions.ts';
import type { PolicyFiles, PolicySettings } from './policyArtefacts.ts';

export interface NodeFilesOptions extends OutputOptions {
  /** Undefined: no rules for policies. */
  readonly policy: PolicySettings | undefined;
  readonly isPolicyOnly: boolean;
}

/** All files of one node. */
export interface NodeFiles {
  readonly policy: PolicyFiles | undefined;
  /** What `--out-dir` writes; `apply.sh` loads all of it. */
  readonly all: readonly Artefact[];
  /** What standard output is chosen from: rules of kube-proxy and of policies never stand in one text. */
  readonly printed: readonly Artefact[];
  readonly printsPolicies: boolean;
}

/**
 * kube-proxy's files, and beside them those of the policies. Where the input has policies and no Services, the policies
 * are what is printed and what `apply.sh` loads: empty Service rules would take a node's Services away.
 */
export async function nodeFiles(compiled: Compiled, options: NodeFilesOptions, report: Report): Promise<NodeFiles> {
  const policy = await policyFiles(compiled, options.policy, report);
  const proxy = options.isPolicyOnly ? [] : await artefacts(compiled, options, report);
  const written = proxy.filter(({ form }) => form !== 'list');
  if (policy === undefined) return { policy, all: written, printed: proxy, printsPolicies: options.isPolicyOnly };
  const printsPolicies = options.isPolicyOnly || compiled.plans.every(({ services }) => services.length === 0);
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
  return { policy, all, printed: [...rules.filter((file) => !isScript(file)), ...lists, apply], printsPolicies };
}

/** Input without policies does not even load their code. */
async function policyFiles(compiled: Compiled, settings: PolicySettings | undefined, report: Report) {
  if (settings === undefined || compiled.policyManifests.networkPolicies.length === 0) return undefined;
  const { policyArtefacts } = await import('./policyArtefacts.ts');
  return policyArtefacts(compiled, settings, report);
}
