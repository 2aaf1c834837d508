import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { askedServiceName } from '../../src/cli/words/askedServiceName.ts';
import { serviceWords } from '../../src/cli/words/serviceWords.ts';
import { root } from '../support/compileCase.ts';
import { runCli } from '../support/runCli.ts';

const manifests = join(root, 'fixtures/healthy/kind/manifests.yaml');

describe('the name of a Service on a command line', () => {
  const read: readonly (readonly [text: string, namespace: string | undefined, service: string, port?: string])[] = [
    ['shop/web', undefined, 'shop/web'],
    ['shop/web:http', undefined, 'shop/web', 'http'],
    ['shop/web', 'shop', 'shop/web'],
    ['web', 'shop', 'shop/web'],
    ['web', undefined, 'default/web'],
    ['svc/web:80', 'shop', 'shop/web', '80'],
    ['service/web', undefined, 'default/web'],
    ['svc/shop/web', undefined, 'shop/web'],
    ['web.shop', undefined, 'shop/web'],
    ['web.shop.svc.cluster.local', undefined, 'shop/web'],
    ['http://web.shop:8080/cart?x=1', undefined, 'shop/web', '8080'],
    ['https://web.shop.svc', undefined, 'shop/web', '443'],
  ];
  for (const [text, namespace, service, port] of read) {
    it(`${text}${namespace === undefined ? '' : ` -n ${namespace}`}`, () => {
      assert.deepEqual(askedServiceName(text, namespace), { service, port });
    });
  }
  for (const [text, namespace] of [
    ['shop/web', 'team'],
    ['a/b/c', undefined],
    ['shop/web:', undefined],
    ['shop/', undefined],
    ['/web', undefined],
    ['shop/we b', undefined],
    ['shop/web:1:2', undefined],
  ] as const) {
    it(`refuses ${text}`, () => {
      assert.equal(typeof askedServiceName(text, namespace), 'string');
    });
  }
});

describe('a name that no Service has', () => {
  for (const [text, said] of [
    ['', /^the name of the Service is empty$/],
    ['Shop/Web', /names are in lower case: shop\/web$/],
    ['shop/web/http', /if http is its port, write shop\/web:http$/],
    ['shop/web_1', /^shop\/web_1 cannot be the name of a Service$/],
    ['10.96.0.10:53', /k8snet whois 10\.96\.0\.10:53 says which Service has it, with --live or -f$/],
  ] as const) {
    it(`says what to write instead of '${text}'`, () => {
      const read = askedServiceName(text, undefined);
      assert.match(typeof read === 'string' ? read : '', said);
    });
  }
});

describe('check-service on a command line', () => {
  it('takes the words as kubectl has them', () => {
    const { status, stdout } = runCli(['check-service', 'svc', 'web', '-n', 'shop', '-f', manifests]);
    assert.equal(status, 0);
    assert.match(stdout, /^shop\/web is in order, as far as it was looked at\.\n/);
    assert.match(stdout, /\n {2}the rules of nodes n1, n2\n/);
    assert.match(stdout, /\n {2}NetworkPolicies: the objects hold none\n/);
  });

  for (const words of [
    ['why', 'svc/web', '-n', 'shop'],
    ['why', '-n', 'shop', 'service/web'],
    ['check', 'svc/web', '-n', 'shop'],
    ['doctor', 'svc/shop/web'],
    ['svc', 'web', '-n', 'shop'],
    ['service/web', '-n', 'shop'],
  ]) {
    it(`is meant by ${words.join(' ')}`, () => {
      const { status, stdout } = runCli([...words, '-f', manifests]);
      assert.equal(status, 0);
      assert.match(stdout, /^shop\/web is in order/);
    });
  }

  it('is not meant where a Service is the receiver of a packet, or a path', () => {
    for (const argv of [
      ['why', '-f', 'a.yaml', '--to', 'svc/shop/web', '--from', 'svc/x'],
      ['trace', '--to', 'svc/shop/web'],
      ['doctor', '-f', 'svc/a.yaml', 'n1'],
      ['doctor', '-n', 'svc', 'node/n1'],
      ['check', 'web'],
    ])
      assert.deepEqual(serviceWords(argv), argv);
  });

  for (const [what, args, says] of [
    ['an address', ['10.96.0.10:80', '-f', manifests], /k8snet whois 10\.96\.0\.10:80 says which Service has it/],
    ['a kind that is no Service', ['pod/web-1', '-n', 'shop', '-f', manifests], /names no Service: write svc\/NAME/],
    ['two words for a name', ['shop', 'web', '-f', manifests], /k8snet check-service shop\/web/],
    ['nothing to look at', ['shop/web'], /there is nothing to look at/],
    [
      'a sender that nobody knows',
      ['shop/web', '-f', manifests, '--from', 'shop/cleint'],
      /did you mean shop\/client\?/,
    ],
    ['a sender that is none', ['shop/web', '-f', manifests, '--from', 'x y'], /give an address/],
    ['facts of no node', ['shop/web', '-f', manifests, '--conntrack', manifests], /go with the dump of one node/],
    ['another namespace', ['shop/web', '-n', 'team', '-f', manifests], /is of namespace shop, and -n says team/],
  ] as const) {
    it(`refuses ${what}`, () => {
      const { status, stderr, stdout } = runCli(['check-service', ...args]);
      assert.equal(status, 2, stdout);
      assert.match(stderr, says);
    });
  }

  it('is described as it answers', () => {
    const docs = readFileSync(join(root, 'docs/check-service.md'), 'utf8');
    const page = readFileSync(join(root, 'golden/compiled/check-service/selector.txt'), 'utf8');
    const shown = /```console\n\$ k8snet check-service [^\n]*\n([\s\S]*?)```/.exec(docs)?.[1] ?? 'nothing';
    assert.ok(page.replaceAll('manifests.yaml', 'cluster.yaml').startsWith(`${shown}\n`), shown);
  });
});
