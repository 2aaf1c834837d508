import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { runCli } from '../support/runCli.ts';
import { twoNodes, webOnBoth } from '../support/twoNodes.ts';

/** check-service where a node has rules of an earlier state of the Service. */
const folder = mkdtempSync(join(tmpdir(), 'k8snet-earlier-'));
after(() => rmSync(folder, { recursive: true }));

const objects = `${twoNodes}${webOnBoth}`;

const settings = ['--node', 'n1', '--cluster-cidr', '10.244.0.0/16'];

function checked(change: (text: string) => string, mode: string) {
  const [before, now] = [join(folder, 'before.yaml'), join(folder, 'now.yaml')];
  writeFileSync(before, objects);
  writeFileSync(now, change(objects));
  const rules = mkdtempSync(join(folder, 'rules-'));
  const asked = ['--mode', mode, '--family', 'ipv4', '--out-dir', rules];
  assert.equal(runCli(['compile', '-f', before, ...settings, ...asked]).status, 0);
  return runCli(['check-service', 'shop/web', '-f', now, ...settings, rules]);
}

for (const mode of ['iptables', 'nftables']) {
  describe(`check-service beside rules of an earlier state: ${mode}`, () => {
    it('shows packets to the port that a cause is about, and that some get through', () => {
      const { status, stdout } = checked((text) => text.replace('10.244.1.10', '10.244.1.13'), mode);
      assert.equal(status, 1, stdout);
      const causes = stdout.split('\n\n').filter((part) => /^(?:shop\/web is broken|then: )/.test(part));
      assert.equal(causes.length, 4, stdout);
      for (const cause of causes) {
        const [, port = ''] = /:(8080|9090)/.exec(cause) ?? [];
        const door = port === '8080' ? '10.96.0.10:80/tcp' : '10.96.0.10:9090/tcp';
        assert.match(cause, new RegExp(` to ${door.replaceAll('.', '\\.')} does not always arrive\\n`));
      }
      assert.match(stdout, /a packet from the node to node port 30090\/tcp: does not always arrive\n/);
    });

    it('gives no advice to delete rules by hand of a Service that lost its endpoints', () => {
      const { status, stdout } = checked((text) => text.replace(/^endpoints: .*$/m, 'endpoints: []'), mode);
      assert.equal(status, 1, stdout);
      assert.match(stdout, /sends traffic .*10\.244\.1\.10:8080, 10\.244\.2\.10:8080, which are not endpoints/);
      assert.doesNotMatch(stdout, /Delete the old rules|which no Service has|restores failed/);
    });

    it('knows of node ports that the Service had', () => {
      const clusterIP = (text: string) => text.replace('type: NodePort, ', '').replace(/, nodePort: \d+/g, '');
      const { status, stdout } = checked(clusterIP, mode);
      assert.equal(status, 0, stdout);
      assert.match(stdout, /\n {2}K8N202: node n1: .*30080.*, which no Service has/);
      assert.match(stdout, /rules of \w+ mode: as they should be, but for what is worth knowing/);
    });
  });
}
