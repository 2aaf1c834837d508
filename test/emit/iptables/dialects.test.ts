import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { compileCase, root } from '../../support/compileCase.ts';
import { recorded } from '../../support/golden.ts';
import { tablesOf } from '../../support/tablesOf.ts';

const cases = readdirSync(join(root, 'fixtures/dialects'));
const versions = readdirSync(join(root, 'golden/recorded/dialects', cases[0] as string))
  .filter((name) => /^1\./.test(name))
  .sort(byVersion);

/** Every case against what kube-proxy of thirty versions wrote. */
describe('iptables mode of every recorded version', () => {
  for (const version of versions) {
    for (const name of cases) {
      if (!existsSync(join(root, 'golden/recorded/dialects', name, version))) continue;
      it(`${version} ${name}`, async () => {
        const result = await compileCase(`dialects/${name}`, '--kube-version', version, '--family', 'ipv4');
        const restore = recorded(`dialects/${name}/${version}/iptables.v4.restore`);
        assert.ok(restore !== undefined);
        const written = result.text('iptables.v4.restore');
        if (isOrderUndefined(name, version)) assert.deepEqual(sepsSorted(written), sepsSorted(restore));
        else assert.equal(written, restore);

        const save = recorded(`dialects/${name}/${version}/iptables.v4.save`);
        if (save !== undefined) assert.deepEqual(withoutCanary(result.text('iptables.v4.save')), withoutCanary(save));
      });
    }
  }
});

/** From 1.24 on kube-proxy merges two endpoint lists by a map: the order of SEP chains is random there. */
function isOrderUndefined(name: string, version: string): boolean {
  return name === 'c16-terminating' && Number(version.split('.')[1]) >= 24;
}

function sepsSorted(text: string): readonly string[] {
  const lines = text.split('\n');
  const isSep = (line: string) => /^(:|-A )KUBE-SEP-/.test(line);
  return [...lines.filter((line) => !isSep(line)), ...lines.filter(isSep).sort()];
}

/** The recordings were made without the monitor that makes canary chains. */
function withoutCanary(save: string): ReadonlyMap<string, readonly string[]> {
  const tables = [...tablesOf(save)].filter(([table]) => table !== '*mangle');
  return new Map(tables.map(([table, lines]) => [table, lines.filter((line) => !line.includes('KUBE-PROXY-CANARY'))]));
}

function byVersion(a: string, b: string): number {
  return Number(a.split('.')[1]) - Number(b.split('.')[1]) || a.length - b.length;
}
