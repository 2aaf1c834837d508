import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { type CaseResult, compileCase, compileFiles, root } from '../../support/compileCase.ts';
import { recorded } from '../../support/golden.ts';

/** Lines of a published dump must come out byte for byte, and in the same order inside each chain. */
function assertHolds(result: CaseResult, dump: string): void {
  const written = result.text('iptables.v4.save').split('\n');
  const last = new Map<string, number>();
  for (const line of dump.split('\n')) {
    if (!line.startsWith('-A ')) continue;
    const chain = line.split(' ')[1] as string;
    const at = written.indexOf(line, (last.get(chain) ?? -1) + 1);
    assert.notEqual(at, -1, `missing, or out of its order: ${line}`);
    last.set(chain, at);
  }
  assert.ok(last.size > 0);
}

describe('dumps that posts printed', () => {
  for (const [name, version] of [
    ['post000-whoami-nodeport', '1.5'],
    ['post002-nginx-web-1', '1.9'],
    ['post002-nginx-web-1-affinity', '1.9'],
    ['post002-nginx-web-1-x3', '1.9'],
    ['post004-nginx-service', '1.7'],
  ] as const) {
    it(`${name} on ${version}`, async () => {
      const result = await compileCase(`dialects/${name}`, '--kube-version', version);
      assertHolds(result, recorded(`dialects/${name}/post.expected.txt`) as string);
    });
  }

  for (const [name, version, ...args] of [
    ['000-whoami-clusterip', '1.5'],
    ['000-whoami-nodeport', '1.5'],
    ['002-nginx-web-1-single', '1.9'],
    ['002-nginx-web-1-scaled', '1.9'],
    ['002-nginx-web-1-affinity', '1.9'],
    ['004-nginx-service', '1.7', '--cluster-cidr', '10.244.0.0/16'],
  ] as const) {
    it(`cluster of ${name} on ${version}`, async () => {
      const file = join(root, 'fixtures/posts', name, 'cluster.yaml');
      const result = await compileFiles([file], ['--kube-version', version, ...args]);
      assertHolds(result, recorded(`posts/${name}/expected.iptables-save`) as string);
    });
  }
});

describe('manifests of a newcomer, without cluster IP, endpoints or settings', () => {
  const codes = (result: CaseResult) => result.diagnostics.map(({ code }) => code).sort();

  it('whoami compiles to a refusal, and says what is missing', async () => {
    const result = await compileFiles([join(root, 'fixtures/posts/000-whoami-clusterip/manifests')], []);
    assert.deepEqual(codes(result), ['allocated-cluster-ip', 'no-endpoints']);
    assert.match(result.text('iptables.v4.save'), /"default\/whoami has no endpoints".*-j REJECT/);
    const hint = result.diagnostics.find(({ code }) => code === 'no-endpoints')?.hint;
    assert.equal(hint, '--assume-pods makes up the Pods of ReplicationController whoami');
  });

  it('nginx with assumed Pods balances over them, the same every time', async () => {
    const folder = join(root, 'fixtures/posts/001-my-nginx/manifests');
    const first = await compileFiles([folder], ['--assume-pods']);
    assert.deepEqual(codes(first), ['allocated-cluster-ip', 'assumed-pods']);
    const save = first.text('iptables.v4.save');
    assert.match(save, /default\/my-nginx -> 10\.244\.0\.10:80/);
    assert.match(save, /default\/my-nginx -> 10\.244\.0\.11:80/);
    assert.equal((await compileFiles([folder], ['--assume-pods'])).text('iptables.v4.save'), save);
  });

  it('an ExternalName Service gives no rules, and the run says so', async () => {
    const result = await compileFiles([join(root, 'fixtures/posts/001-externalname/manifests')], []);
    assert.deepEqual(codes(result), ['service-without-rules']);
    assert.match(result.diagnostics[0]?.message ?? '', /prod\/my-service.*ExternalName/);
  });
});
