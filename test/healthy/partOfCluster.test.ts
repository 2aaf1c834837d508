import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { healthyNames, readHealthyCase } from '../support/healthy/healthyCase.ts';
import { trueOfManifests } from '../support/healthy/healthyFindings.ts';
import { type HealthyItem, healthyItems } from '../support/healthy/healthyItems.ts';
import { plantFault, usualFaults } from '../support/healthy/plantFault.ts';
import { runCli } from '../support/runCli.ts';

const serviceOf = ({ kind, metadata: { name, namespace = 'default', labels } }: HealthyItem): string | undefined => {
  if (kind === 'Service') return `${namespace}/${name}`;
  const owner = kind === 'EndpointSlice' ? labels?.['kubernetes.io/service-name'] : undefined;
  return owner === undefined ? undefined : `${namespace}/${owner}`;
};

/**
 * What people give who look at one Service, or forget the Nodes: objects of a healthy cluster that are not all. What the
 * node has besides is no alarm.
 */
describe('a healthy node, and objects that are not all', () => {
  for (const name of healthyNames()) {
    const healthy = readHealthyCase(name);
    const { folder, expected, args } = healthy;
    const items = healthyItems(healthy);
    const services = [...new Set(items.flatMap((item) => serviceOf(item) ?? []))];
    const ofNamespace = (namespace: string) =>
      items.filter(({ kind, metadata }) => kind !== 'Node' && (metadata.namespace ?? 'default') === namespace);
    const diff = (given: readonly HealthyItem[], dump: readonly string[]) => {
      const input = JSON.stringify({ apiVersion: 'v1', kind: 'List', items: given });
      return runCli(['diff', '-f', '-', ...args, '-o', 'json', ...dump], { input });
    };
    const check = (given: readonly HealthyItem[]) => {
      const ended = diff(given, [join(folder, 'node')]);
      const said = `${ended.stdout}${ended.stderr}`;
      assert.ok(ended.status === 0 || ended.status === 1, said);
      const { findings, changes } = JSON.parse(ended.stdout) as {
        readonly findings: readonly { readonly id: string; readonly severity: string }[];
        readonly changes?: readonly object[];
      };
      const alarms = findings.filter(
        ({ id, severity }) => severity !== 'info' && !trueOfManifests.has(id) && !expected.diff.includes(id),
      );
      assert.deepEqual(alarms, [], said);
      assert.deepEqual(changes ?? [], [], said);
    };

    it(`${name}: without Nodes`, () => check(items.filter(({ kind }) => kind !== 'Node')));

    it(`${name}: one namespace`, () => {
      const namespaces = [...new Set(services.map((id) => id.split('/')[0]))].filter((one) => one !== 'default');
      assert.ok(namespaces.length > 0);
      for (const namespace of namespaces) check(ofNamespace(namespace ?? ''));
    });

    // Other programs' rules make differences of their own there.
    if (name.startsWith('kind'))
      it(`${name}: packets to one namespace`, () => {
        const { stdout, stderr } = diff(ofNamespace('shop'), [join(folder, 'node'), '--compare', 'behaviour']);
        assert.match(stdout, /"destinations": ?[1-9]/);
        assert.doesNotMatch(stdout, /default\/kubernetes|kube-system\/kube-dns/);
        assert.match(stderr, /has rules of \d+ Services that the input does not have .*default\/kubernetes/);
      });

    it(`${name}: a rule of a Service that was given is missed`, () => {
      const [lost] = usualFaults(healthy);
      assert.ok(lost?.named.diff !== undefined);
      for (const given of [items.filter(({ kind }) => kind !== 'Node'), ofNamespace('shop')]) {
        const { status, stdout, stderr } = diff(given, plantFault(healthy, lost));
        assert.equal(status, 1, `${stdout}${stderr}`);
        assert.match(stdout, new RegExp(`"id":"${lost.named.diff}","severity":"error","service":"shop/web:http"`));
      }
    });

    it(`${name}: one Service`, () => {
      for (const id of services.filter((one) => one !== 'default/kubernetes').slice(0, 4))
        check(ofNamespace(id.split('/')[0] ?? '').filter((item) => item.kind === 'Pod' || serviceOf(item) === id));
    });
  }
});
