import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { diffManifests } from '../../src/diff/diffManifests.ts';
import { readDumps } from '../../src/dump/readDumps.ts';
import { noObjectFacts } from '../../src/findings/checks/objectFacts.ts';
import { compileCase, root } from '../support/compileCase.ts';

const save = readFileSync(join(root, 'golden/recorded/services/lb-etp-local/iptables/iptables.v4.save'), 'utf8');

/** The dump with so many chains of Services that nobody knows, each of which lets some of its traffic pass. */
function withUnknown(count: number): string {
  const name = (at: number) => `KUBE-SVC-${at.toString(32).toUpperCase().padStart(16, '0')}`;
  const declared: string[] = [];
  const rules: string[] = [];
  for (let at = 0; at < count; at += 1) {
    declared.push(`:${name(at)} - [0:0]`);
    rules.push(`-A ${name(at)} -m statistic --mode random --probability 0.50000000000 -j KUBE-SEP-AAAAAAAAAAAAAAAA`);
  }
  return save.replace(/(\*nat\n(?::.*\n)*)([\s\S]*?)COMMIT/, `$1${declared.join('\n')}\n$2${rules.join('\n')}\nCOMMIT`);
}

async function findingsOf(text: string): Promise<ReadonlyMap<string, number>> {
  const { compiled } = await compileCase('services/lb-etp-local', '--family', 'ipv4');
  assert.ok(compiled);
  const dump = readDumps([{ name: 'node', text }], { name: 'node' });
  const options = { level: 'rules', hasNfacct: false, family: 'ipv4', ...noObjectFacts } as const;
  const counts = new Map<string, number>();
  for (const { code } of diffManifests(compiled, dump, options).findings) counts.set(code, (counts.get(code) ?? 0) + 1);
  return counts;
}

describe('chains of Services that no manifest has', () => {
  it('are looked into, as many as somebody reads', async () => {
    const counts = await findingsOf(withUnknown(20));
    assert.equal(counts.get('K8N206'), 1);
    assert.equal(counts.get('K8N301'), 1);
  });

  it('are told as what they are and no more where there are tens of thousands', async () => {
    const counts = await findingsOf(withUnknown(20_001));
    assert.equal(counts.get('K8N206'), 1);
    assert.equal(counts.get('K8N301'), undefined);
  });

  it('and copies of rules of as many Services are compared without a look at each for each', async () => {
    const rules = Array.from(
      { length: 10_000 },
      (_, at) =>
        `-A KUBE-SERVICES -d 10.99.${at >> 8}.${at & 255}/32 -p tcp -m tcp --dport 80 -j KUBE-SVC-${at.toString(32).toUpperCase().padStart(16, '0')}`,
    );
    const counts = await findingsOf(
      save.replace(/(?<=\*nat\n[\s\S]*)COMMIT/, `${[...rules, ...rules].join('\n')}\nCOMMIT`),
    );
    assert.equal(counts.get('K8N105'), 10_000);
    assert.equal(counts.get('K8N202'), 10_000);
  });
});
