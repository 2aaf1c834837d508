import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { compile, loadTexts, type PrintedForm, provenance, rulesOf, toFiles, toText } from '../../src/public/core.ts';
import { orThrow, told } from '../../src/public/result.ts';
import { root } from '../support/compileCase.ts';

const file = 'fixtures/page/shop.yaml';
const web = 'shop/web:http';
const nobody = 'shop/nobody:9000/udp';

describe('where printed rules come from', () => {
  it('places are those of the port and of the endpoint', async () => {
    const { own } = await provenanceOf('iptables', 'save');
    const places = await own.placesOf(own.sources.map((_, at) => at));
    assert.deepEqual(
      own.sources.map(({ name }, at) => `${name} ${places[at]?.line}`),
      [`${web} 9`, '10.244.1.7 17', '10.244.2.9 18', `${nobody} 70`],
    );
  });

  for (const [mode, form, line, names] of [
    ['iptables', 'save', '-A KUBE-SERVICES -d 10.96.0.10/32', [web]],
    ['iptables', 'save', ':KUBE-SVC-67NZLRHBNDSAWJRO', [web]],
    ['iptables', 'save', '--to-destination 10.244.2.9:8080', [web, '10.244.2.9']],
    ['iptables', 'save', '-A KUBE-NODEPORTS -p tcp', [web]],
    ['iptables', 'save', '-A KUBE-SERVICES -d 10.96.0.20/32', [nobody]],
    ['iptables', 'save', '-A KUBE-MARK-MASQ', []],
    ['iptables', 'save', ':INPUT', []],
    ['iptables', 'restore', '--to-destination 10.244.1.7:8080', [web, '10.244.1.7']],
    ['nftables', 'save', 'goto service-KHN6ECMT', [web]],
    ['nftables', 'save', '10.96.0.20 . udp . 9000', [nobody]],
    ['nftables', 'save', 'dnat ip to numgen', [web, '10.244.1.7', '10.244.2.9']],
    ['nftables', 'save', 'jump nodeport-endpoints-check', []],
    ['nftables', 'restore', 'add rule ip kube-proxy service-KHN6ECMT', [web, '10.244.1.7', '10.244.2.9']],
    ['ipvs', 'save', '-A -t 10.96.0.10:80', [web]],
    ['ipvs', 'save', '-A -t 192.168.0.1:30080', [web]],
    ['ipvs', 'save', '-a -t 10.96.0.10:80 -r 10.244.2.9:8080', [web, '10.244.2.9']],
    ['ipvs', 'save', 'add KUBE-CLUSTER-IP 10.96.0.10,tcp:80', [web]],
    ['ipvs', 'save', 'add KUBE-NODE-PORT-TCP 30080', [web]],
    ['ipvs', 'save', '-A KUBE-SERVICES -m addrtype', []],
  ] as const) {
    it(`${mode} ${form}: ${line}`, async () => {
      const { own, text } = await provenanceOf(mode, form);
      const at = text.split('\n').findIndex((one) => one.includes(line));
      assert.notEqual(at, -1, text);
      const found = own.linesOf(text)[at] ?? [];
      assert.deepEqual(new Set(found.map((source) => own.sources[source]?.name)), new Set(names));
    });
  }

  for (const [mode, form, line, sentence] of [
    ['iptables', 'save', '--to-destination 10.244.2.9:8080', 'Packets of tcp go to the endpoint 10.244.2.9:8080.'],
    [
      'iptables',
      'restore',
      '-A KUBE-MARK-MASQ',
      'All packets that get here get the mark 0x4000, by which they are masqueraded.',
    ],
    [
      'nftables',
      'save',
      'jump nodeport-endpoints-check',
      'Packets that match `ct state new` go through nodeport-endpoints-check.',
    ],
    [
      'nftables',
      'restore',
      'add rule ip kube-proxy nat-postrouting',
      'All packets that get here go through masquerading.',
    ],
    ['nftables', 'save', 'map service-ips {', undefined],
    ['iptables', 'save', ':INPUT', undefined],
    ['ipvs', 'save', '-A -t 10.96.0.10:80', undefined],
  ] as const) {
    it(`${mode} ${form}: ${line} does what it says`, async () => {
      const { own, text } = await provenanceOf(mode, form);
      const at = text.split('\n').findIndex((one) => one.includes(line));
      assert.notEqual(at, -1, text);
      assert.equal(own.sentenceOf(text, at + 1, 'ipv4'), sentence);
    });
  }
});

async function provenanceOf(mode: 'iptables' | 'ipvs' | 'nftables', form: PrintedForm) {
  const report = () => undefined;
  const loaded = await told(loadTexts([{ name: file, text: readFileSync(join(root, file), 'utf8') }]), report);
  const options = { mode, node: 'n1', clusterCIDR: '10.244.0.0/16' };
  const compiled = await told(compile(loaded.objects, options), report);
  assert.ok(compiled);
  const pieces = await orThrow(
    toText(compiled, await orThrow(toFiles(compiled), report), { form, family: 'ipv4' }),
    report,
  );
  return { text: [...pieces].join(''), own: await provenance(compiled, loaded, await orThrow(rulesOf(compiled))) };
}
