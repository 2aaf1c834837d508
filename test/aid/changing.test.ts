import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { it } from 'node:test';
import { readDumpFiles } from '../../src/cli/dumps/readDumpFiles.ts';
import { checkService, load, readDump } from '../../src/public/api.ts';
import { orThrow, told } from '../../src/public/result.ts';
import { healthyNames, readHealthyCase } from '../support/healthy/healthyCase.ts';
import { plantFault, usualFaults } from '../support/healthy/plantFault.ts';

it('rules of a Service that changes while it is read are doubted, and not called broken', async () => {
  const healthy = readHealthyCase(healthyNames()[0] as string);
  const fault = usualFaults(healthy).find(({ what }) => /lost/.test(what));
  assert.ok(fault);
  const paths = plantFault(healthy, fault);
  try {
    const report = () => {};
    const { objects } = await told(load([join(healthy.folder, 'manifests.yaml')]), report);
    const files = (await Promise.all(paths.map((path) => readDumpFiles(path, report)))).flatMap((read) => read ?? []);
    const nodes = [await orThrow(readDump(files, { name: 'n1' }))];
    const ask = (...changing: readonly string[]) =>
      told(checkService({ service: 'shop/web', objects, nodes, changing: new Set(changing) }), report);
    assert.equal((await ask('shop/other'))?.verdict, 'broken');
    const changing = await ask('shop/web');
    assert.equal(changing?.verdict, 'unknown');
    assert.ok(changing.remarks.some(({ text }) => text.includes('changed while this was read')));
  } finally {
    for (const path of paths) rmSync(dirname(path), { recursive: true, force: true });
  }
});
