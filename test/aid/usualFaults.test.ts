import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { drawn } from '../support/drawn.ts';
import { healthyNames, readHealthyCase } from '../support/healthy/healthyCase.ts';
import { plantFault, usualFaults } from '../support/healthy/plantFault.ts';
import { runMany } from '../support/runMany.ts';

/** Faults that any node may have, beside rules of other programs: the first cause is the fault. */

describe('a usual fault on a node with rules of other programs', () => {
  for (const name of healthyNames()) {
    it(name, () => {
      const healthy = readHealthyCase(name);
      const faults = usualFaults(healthy);
      assert.ok(faults.length > 1);
      const planted = drawn(faults).map((fault) => ({ fault, files: plantFault(healthy, fault) }));
      const given = ['-f', join(healthy.folder, 'manifests.yaml'), '--node', 'n1', ...healthy.args, '-q', '-o', 'json'];
      try {
        const runs = runMany(planted.map(({ files }) => ['check-service', 'shop/web', ...given, ...files]));
        for (const [at, { fault }] of planted.entries()) {
          const { verdict, causes } = JSON.parse(runs[at]?.stdout ?? '');
          assert.equal(verdict, 'broken', fault.what);
          assert.equal(causes[0].id, /lost/.test(fault.what) ? 'service-missing' : 'other-program', fault.what);
        }
      } finally {
        for (const { files } of planted) rmSync(dirname(files[0] as string), { recursive: true });
      }
    });
  }
});
