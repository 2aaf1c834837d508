import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Family } from '../../src/common/addresses/family.ts';
import type { Diagnostic } from '../../src/diagnostics/diagnostic.ts';
import { parseKubeVersion } from '../../src/dialect/version.ts';
import { readDumps } from '../../src/dump/readDumps.ts';
import { importRules } from '../../src/import/importRules.ts';
import { printYaml } from '../../src/import/manifests/printYaml.ts';
import { loadTexts } from '../../src/load/loadTexts.ts';
import { everyTool, nodeRulesOf } from '../../src/node/ruleKinds.ts';
import { compile } from '../../src/pipeline/compile.ts';
import { expectedRules } from '../../src/pipeline/expected/expectedRules.ts';
import { ownRules } from './ownRules.ts';
import { type RecordedNode, recordedNodes } from './recordedNodes.ts';

/**
 * The law of the import: what it prints, compiled, is the dump. Once with the version that was recorded, and once with no
 * version and no options at all, as a user would.
 */
async function assertLaw({ name, version, hasNfacct, files }: RecordedNode): Promise<void> {
  const dump = readDumps(files, { name: 'dump', family: familyOf(files) });
  const said: Diagnostic[] = [];
  const imported = importRules(dump, {}, (one) => said.push(one)) ?? assert.fail(`${name}: nothing was read`);
  const text = [...printYaml(imported.manifests, ['title'])].join('');
  const { objects } = await loadTexts([{ name: 'imported.yaml', text }], (one) => said.push(one));
  const family = familyOf(files) ?? ('both' as const);
  for (const asked of [version, undefined]) {
    const problems: Diagnostic[] = [];
    const kubeVersion = asked === undefined ? undefined : parseKubeVersion(asked);
    const input = { objects, configObjects: [], target: { family }, kubeVersion, unknownFields: 'strict' as const };
    const compiled = compile(input, (one) => problems.push(one));
    const refused = problems.filter(({ severity }) => severity === 'error').map(({ message }) => message);
    assert.ok(compiled, `${name}: ${refused.join('; ')}`);
    // Rules of nftables mode, and old ones, show no health-check node port.
    const warned = problems.filter((one) => one.severity === 'warning' && !expectedWarnings.has(one.code));
    assert.deepEqual(warned, [], name);
    const { rules } = expectedRules(compiled, { hasNfacct });
    const shown = new Set(everyTool(dump).map((one) => `${one.kind} ${one.family}`));
    const compared = everyTool(rules).filter((one) => shown.has(`${one.kind} ${one.family}`));
    const [expected, actual] = [new Map(ownRules(dump)), new Map(ownRules(nodeRulesOf('compiled', compared)))];
    if (files.some((file) => file.name.endsWith('.restore'))) dropBeside(expected, actual);
    assert.deepEqual(Object.fromEntries(actual), Object.fromEntries(expected), `${name}, version ${asked}`);
  }
}

const expectedWarnings: ReadonlySet<string> = new Set([
  'allocated-health-check-port',
  'ipvs-deprecated',
  // The rules fit later versions too, which need no gate.
  'mode-needs-gate',
  'rules-not-loadable',
  'source-range-left-out',
  'source-ranges-overlap',
]);

/** A text for iptables-restore has neither jumps from built-in chains nor kubelet's chain, and members that ipset refuses. */
function dropBeside(expected: Map<string, readonly string[]>, actual: Map<string, readonly string[]>): void {
  for (const [key, lines] of expected) {
    const legal = lines.filter((line) => !line.endsWith('/0'));
    if (legal.length === 0) expected.delete(key);
    else expected.set(key, legal);
  }
  for (const [key, lines] of actual) {
    const isBuiltin = /^iptables \S+ \S+ (?:PREROUTING|INPUT|FORWARD|OUTPUT|POSTROUTING)$/.test(key);
    const isEmptySet = key.startsWith('ipset ') && lines.length === 1;
    if (!expected.has(key) && (isBuiltin || isEmptySet)) actual.delete(key);
  }
}

function familyOf(files: RecordedNode['files']): Family | undefined {
  const families = new Set(files.map(({ name }) => (name.includes('.v6') ? 'ipv6' : 'ipv4')));
  return families.size === 1 ? [...families][0] : undefined;
}

/** All of 1.30 in breadth; of the other versions every case, each in some versions, and every version in some cases. */
const wholeFolders = /^services\//;
const oneIn = 6;

test('what is read back from a recorded node compiles to its rules', async () => {
  let count = 0;
  for (const [at, recorded] of [...recordedNodes()].entries()) {
    if (recorded.files.length === 0) continue;
    if (!wholeFolders.test(recorded.name) && at % oneIn !== 0) continue;
    await assertLaw(recorded);
    count += 1;
  }
  assert.ok(count > 300, `${count} nodes`);
});
