import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { compileCase, root } from '../../support/compileCase.ts';
import { recorded } from '../../support/golden.ts';
import { tablesOf } from '../../support/tablesOf.ts';

/** Every scenario against what kube-proxy 1.30.3 wrote, and what the kernel's tools showed of it. */
describe('services in IPVS mode, as recorded from kube-proxy 1.30.3', () => {
  for (const name of readdirSync(join(root, 'fixtures/services'))) {
    it(name, async () => {
      const result = await compileCase(`services/${name}`, '--kube-version', '1.30', '--mode', 'ipvs');
      assert.deepEqual(
        result.diagnostics.filter(({ severity }) => severity === 'error'),
        [],
      );
      const golden = (file: string) => recorded(`services/${name}/ipvs/${file}`) ?? '';
      let compared = 0;
      for (const family of ['v4', 'v6']) {
        const restore = golden(`iptables.${family}.restore`);
        assert.equal(result.artefacts.has(`iptables.${family}.restore`), restore !== '', family);
        if (restore === '') continue;
        assert.equal(result.text(`iptables.${family}.restore`), restore);
        const save = result.text(`iptables.${family}.save`);
        assert.deepEqual(tablesOf(withoutIpvsMatch(save)), tablesOf(golden(`iptables.${family}.save`)));
        // Neither ipset nor ipvsadm has an order of its own. What ours is, printers are tested for.
        for (const file of [`ipset.${family}.save`, `ipvsadm.${family}.save`, `addresses.${family}`]) {
          assert.deepEqual(linesOf(result.text(file)), linesOf(golden(file)), file);
        }
        compared++;
      }
      assert.ok(compared > 0, 'nothing was recorded');
      for (const file of ['sysctl.conf', 'health.txt']) assert.equal(result.text(file), golden(file), file);
    });
  }
});

/** The recording kernel had no xt_ipvs, so these rules never were loaded there. */
function withoutIpvsMatch(save: string): string {
  return save.replace(/^.* -m ipvs .*\n/gm, '');
}

function linesOf(text: string): readonly string[] {
  return text.split('\n').sort();
}
