import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { runCli } from '../support/runCli.ts';

const objects = 'fixtures/services/dualstack-basic/manifests.yaml';

describe('check-service of a node whose two families show the same fault', () => {
  it('names the node once', () => {
    const target = ['-f', objects, '--kube-version', '1.36', '--iptables-masquerade-bit', '14'];
    const dump = ['ipv4', 'ipv6']
      .map((family) => runCli(['compile', '-q', ...target, '--family', family]).stdout)
      .join('');
    const service = /--comment "([^": ]+)[^"]* cluster IP"/.exec(dump)?.[1] ?? '';
    const marked = dump.replaceAll('0x4000', '0x8000');
    const { stdout, status } = runCli(['check-service', service, ...target, '-', '-o', 'json'], { input: marked });
    assert.equal(status, 1);
    const { causes } = JSON.parse(stdout) as {
      readonly causes: readonly { readonly code?: string; readonly nodes: readonly string[] }[];
    };
    const mark = causes.filter(({ code }) => code === 'K8N409');
    assert.ok(mark.length > 0, stdout);
    for (const { nodes } of causes) assert.equal(new Set(nodes).size, nodes.length, nodes.join());
  });
});
