import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { compileCase, root } from '../../support/compileCase.ts';
import { recorded } from '../../support/golden.ts';
import { tablesOf } from '../../support/tablesOf.ts';

/** Every scenario against what kube-proxy 1.30.3 wrote, and what the kernel's tools showed of it. */
describe('services in iptables mode, as recorded from kube-proxy 1.30.3', () => {
  for (const name of readdirSync(join(root, 'fixtures/services'))) {
    it(name, async () => {
      const result = await compileCase(`services/${name}`, '--kube-version', '1.30', '--mode', 'iptables');
      assert.deepEqual(
        result.diagnostics.filter(({ severity }) => severity === 'error'),
        [],
      );
      let compared = 0;
      for (const family of ['v4', 'v6']) {
        const restore = recorded(`services/${name}/iptables/iptables.${family}.restore`);
        assert.equal(result.artefacts.has(`iptables.${family}.restore`), restore !== undefined, family);
        if (restore === undefined) continue;
        assert.equal(result.text(`iptables.${family}.restore`), restore);
        const save = recorded(`services/${name}/iptables/iptables.${family}.save`);
        assert.ok(save !== undefined);
        assert.deepEqual(tablesOf(result.text(`iptables.${family}.save`)), tablesOf(save));
        compared++;
      }
      assert.ok(compared > 0, 'nothing was recorded');
      for (const file of ['sysctl.conf', 'health.txt']) {
        assert.equal(result.text(file), recorded(`services/${name}/iptables/${file}`) ?? '', file);
      }
    });
  }
});
