import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { it } from 'node:test';
import { readDumpFiles } from '../../src/cli/dumps/readDumpFiles.ts';
import { checkService, compile, load, loadTexts, readDump, toFiles } from '../../src/public/api.ts';
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

it('of a Service that is broken, no cause are the rules of another one that was just deleted', async () => {
  const report = () => {};
  const load = async (...names: readonly string[]) =>
    (await told(loadTexts([{ name: 'cluster.json', text: JSON.stringify(listOf(names)) }]), report)).objects;
  const compiled = await told(compile(await load('web', 'gone'), { node: 'n1', kubeVersion: '1.36' }), report);
  assert.ok(compiled);
  const files = await told(toFiles(compiled), report);
  const save = [...(files?.all.find(({ name }) => name === 'iptables.v4.save')?.text() ?? [])].join('');
  const text = save.replace(/-A KUBE-SERVICES .*shop\/web.*\n/, '');
  const nodes = [await orThrow(readDump([{ name: 'n1', text }], { name: 'n1' }))];
  const objects = await load('web');
  const causes = async (...changing: readonly string[]) => {
    const question = { service: 'shop/web', objects, nodes, changing: new Set(changing) };
    return (await told(checkService(question), report))?.causes.map(({ detail }) => detail);
  };
  assert.deepEqual(await causes(), ['K8N201', 'K8N202', 'K8N202']);
  assert.deepEqual(await causes('shop/gone'), ['K8N201']);
});

/** Services with an endpoint each. */
function listOf(names: readonly string[]): object {
  const services = names.map((name, at) => ({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name, namespace: 'shop' },
    spec: {
      type: 'NodePort',
      clusterIP: `10.96.0.${at + 1}`,
      ports: [{ port: 80, protocol: 'TCP', nodePort: 30_001 + at }],
    },
  }));
  const slices = names.map((name, at) => ({
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: { name: `${name}-1`, namespace: 'shop', labels: { 'kubernetes.io/service-name': name } },
    addressType: 'IPv4',
    ports: [{ name: '', port: 8080, protocol: 'TCP' }],
    endpoints: [{ addresses: [`10.244.1.${at + 1}`], conditions: { ready: true }, nodeName: 'n1' }],
  }));
  return { apiVersion: 'v1', kind: 'List', items: [...services, ...slices] };
}
