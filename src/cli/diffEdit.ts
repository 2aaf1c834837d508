import { count } from '../common/text/count.ts';
import { escapeText } from '../common/text/escapeText.ts';
import { jsonText } from '../common/text/jsonText.ts';
import type { RuleChange } from '../compare/ruleChange.ts';
import { editStory, type ServiceEdit } from '../diff/editStory.ts';
import type { PolicyEdits } from '../diff/policies/policyEdits.ts';
import { bothSources } from '../load/bothSources.ts';
import { podIps } from '../model/podIps.ts';
import { policiesGiven } from '../model/policiesGiven.ts';
import { behaviourInput, type Compiled, compile, diffDumps } from '../public/core.ts';
import { orThrow, told } from '../public/result.ts';
import { namespaceOf } from '../validate/fields/describe.ts';
import { readInput } from './objects/readInput.ts';
import type { DiffFlags } from './options/diffFlags.ts';
import { refuseOption } from './options/refuseOption.ts';
import { exitCodes } from './write/exitCodes.ts';
import type { Messages } from './write/messages.ts';
import { writeOut } from './write/writeOut.ts';

/**
 * What an edit of manifests changes on a node: the differences by Service, and the added and removed rules. Pods of
 * workloads are invented, since manifests from a repository have none.
 */
export async function diffEdit(
  [before, after]: readonly [string, string],
  options: DiffFlags,
  messages: Messages,
): Promise<number> {
  const old = await readSide(before, options, messages);
  const young = await readSide(after, options, messages, addressesOf(old.compiled));
  const sources = bothSources(old.sources, young.sources);
  if (options.output !== 'text' && options.output !== 'json') {
    const code = refuseOption(messages, 'diff', `-o ${options.output}: an edit is printed as text or json`);
    await messages.flush(sources);
    return code;
  }
  if (old.compiled === undefined || young.compiled === undefined || messages.hasErrors()) {
    await messages.flush(sources);
    return exitCodes.badInput;
  }
  const asked = ({ service }: ServiceEdit) => options.service === undefined || options.service === service;
  const edits = editStory(old.compiled.model, young.compiled.model).filter(asked);
  const changes = await rulesOf(old.compiled, young.compiled, options);
  const policies = await policiesOf(old.compiled, young.compiled, options);
  for (const message of policies.notes) {
    messages.report({ code: 'policies-not-compared', severity: 'note', message, at: [] });
  }
  writeOut(
    options.output === 'json'
      ? jsonText(editJson(edits, changes, policies))
      : [editText(edits, changes, policies, options.verbose)],
  );
  await messages.flush(sources);
  const areSame = edits.length + changes.length + policies.edits.length + policies.changes.length === 0;
  return areSame ? exitCodes.ok : exitCodes.differs;
}

/** A question about one Service leaves policies out, and manifests without any do not load their code. */
async function policiesOf(before: Compiled, after: Compiled, { service }: DiffFlags): Promise<PolicyEdits> {
  const given = policiesGiven(before.policyManifests) + policiesGiven(after.policyManifests);
  if (service !== undefined || given === 0) return { edits: [], changes: [], notes: [] };
  const { policyEdits } = await import('../diff/policies/policyEdits.ts');
  return policyEdits(before, after);
}

/** Otherwise one workload more gives others new addresses, and their rules seem to change. */
function addressesOf(compiled: Compiled | undefined): Readonly<Record<string, readonly string[]>> {
  const pods = compiled?.policyManifests.pods ?? [];
  return Object.fromEntries(
    pods.map(({ value }) => [`${namespaceOf(value.metadata)}/${value.metadata.name}`, podIps(value)]),
  );
}

async function readSide(
  path: string,
  options: DiffFlags,
  messages: Messages,
  podAddresses: Readonly<Record<string, readonly string[]>> = {},
) {
  const { objects, options: target, sources } = await readInput({ ...options, filename: [path] }, messages, true);
  const assumed = { ...target, assumesPods: true, podAddresses };
  const compiled = await told(compile(objects, assumed), (diagnostic) => {
    // Both sides have the same invented parts.
    if (diagnostic.severity !== 'note') messages.report(diagnostic);
  });
  return { compiled, sources };
}

async function rulesOf(before: Compiled, after: Compiled, options: DiffFlags): Promise<readonly RuleChange[]> {
  const [old, young] = await Promise.all([
    orThrow(behaviourInput(before, { hasNfacct: options.nfacct })),
    orThrow(behaviourInput(after, { hasNfacct: options.nfacct })),
  ]);
  const report = await orThrow(
    diffDumps(old.rules, young.rules, {
      level: 'rules',
      hasForeign: true,
      ...(options.service !== undefined && { service: options.service }),
    }),
  );
  return report.changes;
}

function editText(
  edits: readonly ServiceEdit[],
  changes: readonly RuleChange[],
  policies: PolicyEdits,
  isVerbose: boolean,
): string {
  const lines = edits.flatMap(({ service, kind, changes: said }) => [
    `${service}${kind === 'changed' ? '' : ` is ${kind}`}`,
    ...said.map((change) => `  ${change}`),
  ]);
  if (edits.length === 0) lines.push('no Service changes');
  if (policies.edits.length > 0) lines.push('policies', ...policies.edits.map(({ what }) => `  ${what}`));
  if (changes.length + policies.changes.length === 0) lines.push('the rules of the node stay as they are');
  if (changes.length > 0) lines.push(...ruleLines('rules of the node', changes, isVerbose));
  if (policies.changes.length > 0)
    lines.push(...ruleLines('rules of policies in nftables', policies.changes, isVerbose));
  return `${lines.map((line) => escapeText(line)).join('\n')}\n`;
}

function ruleLines(what: string, changes: readonly RuleChange[], isVerbose: boolean): readonly string[] {
  const come = changes.filter(({ found }) => found !== undefined);
  const gone = changes.filter(({ expected }) => expected !== undefined);
  const head = `${what}: ${count(come.length, 'rule')} more, ${gone.length} less${isVerbose ? '' : ' (-v lists them)'}`;
  if (!isVerbose) return [head];
  const rules = changes.flatMap(({ table, expected, found }) => [
    ...(expected === undefined ? [] : [`  - ${table} ${expected}`]),
    ...(found === undefined ? [] : [`  + ${table} ${found}`]),
  ]);
  return [head, ...rules];
}

function editJson(services: readonly ServiceEdit[], changes: readonly RuleChange[], policies: PolicyEdits): object {
  const rulesOfBoth = (all: readonly RuleChange[]) =>
    all.map(({ table, chain, expected, found }) => ({
      table,
      chain,
      before: expected ?? null,
      after: found ?? null,
    }));
  return {
    schema: 'k8snet.edit/v1',
    services,
    rules: rulesOfBoth(changes),
    policies: policies.edits,
    policyRules: rulesOfBoth(policies.changes),
  };
}
