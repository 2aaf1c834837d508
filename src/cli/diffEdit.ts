import { count } from '../common/text/count.ts';
import { escapeText } from '../common/text/escapeText.ts';
import { jsonText } from '../common/text/jsonText.ts';
import type { RuleChange } from '../compare/ruleChange.ts';
import { editStory, type ServiceEdit } from '../diff/editStory.ts';
import { bothSources } from '../load/bothSources.ts';
import { behaviourInput, type Compiled, compile, diffDumps } from '../public/core.ts';
import { orThrow, told } from '../public/result.ts';
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
  const [old, young] = [await readSide(before, options, messages), await readSide(after, options, messages)];
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
  writeOut(
    options.output === 'json' ? jsonText(editJson(edits, changes)) : [editText(edits, changes, options.verbose)],
  );
  await messages.flush(sources);
  return edits.length + changes.length > 0 ? exitCodes.differs : exitCodes.ok;
}

async function readSide(path: string, options: DiffFlags, messages: Messages) {
  const { objects, options: target, sources } = await readInput({ ...options, filename: [path] }, messages, true);
  const assumed = { ...target, assumesPods: true };
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

function editText(edits: readonly ServiceEdit[], changes: readonly RuleChange[], isVerbose: boolean): string {
  const lines = edits.flatMap(({ service, kind, changes: said }) => [
    `${service}${kind === 'changed' ? '' : ` is ${kind}`}`,
    ...said.map((change) => `  ${change}`),
  ]);
  const [come, gone] = [
    changes.filter(({ found }) => found !== undefined),
    changes.filter(({ expected }) => expected !== undefined),
  ];
  if (edits.length === 0) lines.push('no Service changes');
  lines.push(
    changes.length === 0
      ? 'the rules of the node stay as they are'
      : `rules of the node: ${count(come.length, 'rule')} more, ${gone.length} less${isVerbose ? '' : ' (-v lists them)'}`,
  );
  if (isVerbose) {
    for (const { table, expected, found } of changes) {
      if (expected !== undefined) lines.push(`  - ${table} ${expected}`);
      if (found !== undefined) lines.push(`  + ${table} ${found}`);
    }
  }
  return `${lines.map((line) => escapeText(line)).join('\n')}\n`;
}

function editJson(services: readonly ServiceEdit[], changes: readonly RuleChange[]): object {
  return {
    schema: 'k8snet.edit/v1',
    services,
    rules: changes.map(({ table, chain, expected, found }) => ({
      table,
      chain,
      before: expected ?? null,
      after: found ?? null,
    })),
  };
}
