import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { drawn } from '../support/drawn.ts';
import { healthyNames, readHealthyCase } from '../support/healthy/healthyCase.ts';
import { runMany } from '../support/runMany.ts';

/** Services on nodes where other programs have rules too: none of them is called broken. */

const services = ['shop/web', 'shop/api', 'shop/front', 'shop/ranged', 'shop/db', 'kube-system/kube-dns'];

describe('check-service of a Service that is in order', () => {
  for (const name of healthyNames()) {
    it(name, () => {
      const { folder } = readHealthyCase(name);
      const given = ['-f', join(folder, 'manifests.yaml'), join(folder, 'node'), '-q'];
      const asked = drawn(services);
      for (const [at, run] of runMany(asked.map((service) => ['check-service', service, ...given])).entries())
        assert.equal(run.status, 0, `${asked[at]}: ${run.stdout}${run.stderr}`);
    });
  }
});
