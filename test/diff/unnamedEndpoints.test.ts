import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { runCli } from '../support/runCli.ts';

/** Where a cluster has more than 1,000 endpoints, the rules of a Service's own chains have no comments. */
describe('rules that do not name their Service', () => {
  const folder = mkdtempSync(join(tmpdir(), 'k8snet-unnamed-'));
  const [manifests, healthy, broken] = ['cluster.json', 'healthy.save', 'broken.save'].map((name) =>
    join(folder, name),
  ) as [string, string, string];
  let text = '';
  before(() => {
    writeFileSync(manifests, JSON.stringify({ apiVersion: 'v1', kind: 'List', items: services() }));
    text = runCli(['compile', '-f', manifests, '--node', 'n1', '--cluster-cidr', '10.0.0.0/8', '-o', 'save']).stdout;
    assert.match(text, /^-A KUBE-SEP-\S+ -p tcp -m tcp -j DNAT /m);
    writeFileSync(healthy, text);
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  const without = (rule: RegExp) => {
    const lines = text.split('\n');
    const at = lines.findIndex((line) => rule.test(line));
    assert.notEqual(at, -1);
    writeFileSync(broken, lines.toSpliced(at, 1).join('\n'));
    return lines[at] as string;
  };
  const differing = (...more: readonly string[]) => {
    const { stdout, status } = runCli(['diff', healthy, broken, '-o', 'json', ...more]);
    const { summary, changes } = JSON.parse(stdout) as Report;
    assert.equal(status, 1);
    return [summary.services, summary.same, changes.length];
  };

  it('of an endpoint', () => {
    const lost = without(/^-A KUBE-SEP-\S+ .* --to-destination 10\.3\.0\.7:8080$/);
    assert.deepEqual(differing(), [21, 20, 1]);
    assert.deepEqual(differing('--service', 'shop/web-3'), [1, 0, 1]);
    const chain = lost.split(' ')[1] as string;
    assert.match(runCli(['doctor', broken]).stdout, new RegExp(`shop/web-3:http\n.*K8N204 ${chain} `));
    assert.match(runCli(['whois', chain, healthy]).stdout, / of Service shop\/web-3:http: /);
    assert.match(
      runCli(['whois', '10.3.0.7', healthy]).stdout,
      /10\.3\.0\.7:8080 is an endpoint of Service shop\/web-3:http: /,
    );
  });

  it('of a chain that balances', () => {
    without(/^-A KUBE-SVC-\S+ -m statistic --mode random --probability 0\.2/);
    assert.deepEqual(differing(), [21, 20, 1]);
    assert.match(runCli(['doctor', broken]).stdout, /shop\/web-\d+:http\n.*K8N302 KUBE-SVC-/);
  });

  it('of a chain that balances over the endpoints of this node', () => {
    without(/^-A KUBE-SVL-\S+ .*probability 0\.33/);
    assert.deepEqual(differing('--service', 'shop/web-0'), [1, 0, 1]);
    assert.match(runCli(['doctor', broken]).stdout, /shop\/web-0:http\n.*K8N302 KUBE-SVL-/);
  });

  it('and an answer of trace names it all the same, masqueraded or not', () => {
    for (const [from, to, service] of [
      ['10.244.0.9', '10.96.0.5:80', 'shop/web-5:http'],
      ['203.0.113.7', '10.96.0.5:80', 'shop/web-5:http'],
    ] as const) {
      const { stdout } = runCli(['trace', healthy, '--from', from, '--to', to, '-o', 'json']);
      assert.equal(/"nat"[\s\S]*masquerade/.test(stdout), from === '203.0.113.7', stdout.slice(-3000));
      const named = new Set([...stdout.matchAll(/"service": (\S+?),?\n/g)].map(([, name]) => name));
      assert.deepEqual(named, new Set([`"${service}"`]));
      assert.doesNotMatch(stdout, /"endpoint": null/);
    }
  });
});

interface Report {
  readonly summary: { readonly services: number; readonly same: number };
  readonly changes: readonly unknown[];
}

function services(): readonly object[] {
  return Array.from({ length: 21 }, (_, at) => {
    const metadata = { name: `web-${at}`, namespace: 'shop' };
    const local = at === 0 && { type: 'NodePort', externalTrafficPolicy: 'Local' };
    const ports = [{ name: 'http', port: 80, ...(local && { nodePort: 30080 }) }];
    return [
      { apiVersion: 'v1', kind: 'Service', metadata, spec: { clusterIP: `10.96.0.${at}`, ports, ...local } },
      {
        apiVersion: 'discovery.k8s.io/v1',
        kind: 'EndpointSlice',
        metadata: { ...metadata, labels: { 'kubernetes.io/service-name': metadata.name } },
        addressType: 'IPv4',
        ports: [{ name: 'http', port: 8080 }],
        endpoints: Array.from({ length: 50 }, (_, index) => ({
          addresses: [`10.${at}.0.${index}`],
          nodeName: index < 4 ? 'n1' : 'n2',
        })),
      },
    ];
  }).flat();
}
