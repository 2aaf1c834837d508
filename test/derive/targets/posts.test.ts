import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { root } from '../../support/compileCase.ts';
import { runCli } from '../../support/runCli.ts';
import { recordedFor } from './comparisons.ts';

const posts = join(root, 'fixtures/posts');

/** The records that a name leads to, `type data`, or how else the question ends. */
function ask(fixture: string, from: string, name: string, ...options: readonly string[]): readonly string[] {
  const args = ['emit', 'dns', '-f', join(posts, fixture), '--from', from, '--resolve', name, '-o', 'json', ...options];
  const { stdout, stderr } = runCli(args);
  assert.notEqual(stdout, '', stderr);
  const { answer, result } = JSON.parse(stdout) as {
    readonly answer: readonly { readonly type: string; readonly data: string }[];
    readonly result: string;
  };
  return answer.length > 0 ? answer.map(({ type, data }) => `${type} ${data}`) : [result];
}

/** What the source posts say of names, variables and files. */
describe('the posts', () => {
  it('names of Services, from their own namespace and from others', () => {
    const of = (from: string, name: string, ...options: readonly string[]) =>
      ask('001-dns-names/manifests', from, name, ...options);
    const [own] = of('ns/my-ns', 'my-service');
    assert.match(own ?? '', /^A 10\.96\./);
    assert.deepEqual(of('ns/my-ns', 'my-service.my-ns'), [own]);
    assert.deepEqual(of('ns/other', 'my-service.my-ns'), [own]);
    assert.deepEqual(of('ns/other', 'my-service'), ['not-found']);
    assert.deepEqual(of('ns/other', '_http._tcp.my-service.my-ns', '--type', 'SRV'), [
      'SRV 0 100 80 my-service.my-ns.svc.cluster.local.',
    ]);
    const [foo] = of('ns/bar', 'foo');
    assert.match(foo ?? '', /^A 10\.96\./);
    assert.deepEqual(of('ns/quux', 'foo.bar'), [foo]);
    assert.deepEqual(of('ns/quux', 'foo'), ['not-found']);
    const domain = ['--cluster-domain', 'cluster-domain.example'];
    assert.deepEqual(of('ns/quux', 'foo.bar.svc.cluster-domain.example', ...domain), [foo]);
  });

  it('names of Pods by hostname and subdomain', () => {
    const input = '../emit/dns-post-subdomain/input.yaml';
    const of = (name: string) =>
      ask(input, 'ns/default', `${name}.svc.cluster-domain.example`, '--cluster-domain', 'cluster-domain.example');
    assert.deepEqual(of('busybox-1.default-subdomain.default'), ['A 10.244.1.21']);
    assert.deepEqual(of('busybox-2.default-subdomain.default'), ['A 10.244.2.22']);
    assert.deepEqual(of('default-subdomain.default'), ['A 10.244.1.21', 'A 10.244.2.22']);
    // The post's own manifests, whose Pods have no addresses yet.
    const absolute = 'busybox-1.default-subdomain.default.svc.cluster.local.';
    assert.deepEqual(ask('001-pod-subdomain/manifests', 'ns/default', absolute), ['not-found']);
  });

  it('an external name', () => {
    const name = 'my-service.prod.svc.cluster.local';
    assert.deepEqual(ask('001-externalname/manifests', 'ns/default', name), ['CNAME my.database.example.com.']);
    assert.deepEqual(ask('001-externalname/manifests', 'ns/default', name, '--type', 'CNAME'), [
      'CNAME my.database.example.com.',
    ]);
  });

  it('what nslookup my-nginx says in the default namespace', () => {
    assert.deepEqual(ask('001-my-nginx/cluster.yaml', 'ns/default', 'my-nginx'), ['A 10.0.162.149']);
  });

  it("the variables of redis-master, in the kubelet's order", () => {
    const { stdout } = runCli([
      'emit',
      'env',
      '-f',
      'fixtures/emit/env-redis-master/input.yaml',
      '--namespace',
      'default',
    ]);
    assert.equal(stdout.trimEnd(), recordedFor('env-redis-master', 'expected.env').trimEnd());
  });
});
