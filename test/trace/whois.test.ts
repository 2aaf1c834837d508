import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { Ajv } from 'ajv';
import { root } from '../support/compileCase.ts';
import { assertGolden } from '../support/golden.ts';
import { runCli } from '../support/runCli.ts';

/** `k8snet whois` and `k8snet split`. */

const legacy = 'fixtures/trace/nodeport-legacy';
const manifests = 'fixtures/services/nodeport-basic/manifests.yaml --node node-1 --kube-version 1.30';

const lines: readonly (readonly [name: string, args: string, status: number])[] = [
  ['chain-svc', `whois KUBE-SVC-OPPHYL3DE7QEONHQ ${legacy}`, 0],
  ['chain-sep', `whois KUBE-SEP-P2XUF23QGIY4FONR ${legacy}`, 0],
  ['chain-nft', 'whois service-VVB6AFFW-default/agent/tcp/metrics fixtures/trace/clusterip-nftmode', 0],
  ['address-port', `whois 10.96.100.1:80 ${legacy}`, 0],
  ['address-nft', 'whois 10.96.44.1 fixtures/trace/clusterip-nftmode', 0],
  ['address-ipvs', 'whois 10.96.100.1:80 fixtures/trace/ipvs-nodeport', 0],
  ['address-v6', 'whois [fd00:10:96::150:1]:80 fixtures/trace/ipv6-iptnft', 1],
  ['no-endpoints', 'whois 10.96.150.1:80 fixtures/trace/no-endpoints-iptnft', 0],
  ['pod', `whois 10.244.1.100 ${legacy}`, 0],
  ['node', `whois 192.168.10.1 ${legacy}`, 0],
  ['node-port', `whois 30080 ${legacy}`, 0],
  ['mark', `whois 0x4000 ${legacy}`, 0],
  ['probability', `whois 0.33333333349 ${legacy}`, 0],
  ['set', 'whois KUBE-CLUSTER-IP fixtures/trace/ipvs-nodeport', 0],
  [
    'guess',
    'whois KUBE-SVC-OPPHYL3DE7QEONHQ fixtures/trace-cli/unknown.save --guess default/front:http --guess a/b',
    0,
  ],
  ['nothing', `whois KUBE-SVC-AAAAAAAAAAAAAAAA ${legacy}`, 1],
  ['chain-not-shown', 'whois KUBE-SEP-YXCSPWPTUFI5WI5Y fixtures/fragments/000-12.txt', 0],
  ['chain-shared-not-shown', 'whois KUBE-MARK-MASQ fixtures/fragments/000-13.txt', 0],
  ['chain-not-named', 'whois KUBE-SEP-AAAAAAAAAAAAAAAA fixtures/fragments/000-12.txt', 1],
  ['chain-of-1.18', 'whois KUBE-SVC-OQCLJJ5GLLNFY3XB -f fixtures/fragments/000.yaml', 0],
  ['chain-of-1.19', 'whois KUBE-SVC-DC3OOLRZIWFKJHLB -f fixtures/fragments/000.yaml --kube-version 1.6', 0],
  ['endpoint-of-1.18', 'whois KUBE-SEP-VN72UHNM6XOXLRPW -f fixtures/fragments/000.yaml', 0],
  ['no-node-port', `whois 30999 ${legacy}`, 1],
  ['pod-by-name', 'whois shop/web-0 -f fixtures/first-aid/cluster.json --node worker-1', 0],
  ['manifests', `whois 30443 -f ${manifests}`, 0],
  ['real-server', 'whois 10.244.1.100 fixtures/trace/ipvs-nodeport', 0],
  ['health-check', 'whois 32222 fixtures/first-aid/M.save', 0],
  ['health-check-set', 'whois 32030 fixtures/healthy/docker-ipvs/node/dumps', 0],
  ['health-check-manifests', 'whois 32690 -f fixtures/services/lb-etp-local/manifests.yaml --mode nftables', 0],
  ['source-range', 'whois 198.51.100.0/24 fixtures/first-aid/M.save', 0],
  ['unmentioned', 'whois 198.51.100.0 fixtures/first-aid/M.save', 1],
  ['split', `split 10.96.100.1:80 ${legacy} --count 100`, 0],
  ['split-nft', 'split 10.96.44.1:9100 fixtures/trace/clusterip-nftmode --from 10.244.1.200', 0],
  ['split-manifests', `split default/front:https -f ${manifests}`, 0],
];

describe('whois and split', () => {
  for (const [name, args, status] of lines) {
    it(`${name}: ${args}`, () => {
      const run = runCli(args.split(' '));
      assertGolden(`whois/${name}.txt`, run.stdout);
      assert.equal(run.status, status, run.stderr);
    });
  }

  it('names what split was asked for as it was given', () => {
    const { status, stderr } = runCli(`split default/nothing:80 ${legacy}`.split(' '));
    assert.equal(status, 2);
    assert.match(stderr, /: default\/nothing:80: /);
    assert.doesNotMatch(stderr, /--to/);
  });

  for (const [schema, args] of [
    ['whois', `whois 10.96.100.1:80 ${legacy} -o json`],
    ['whois', 'whois 32222 fixtures/first-aid/M.save -o json'],
    ['whois', 'whois 10.0.0.0/8 fixtures/first-aid/M.save -o json'],
    ['split', `split 10.96.100.1:80 ${legacy} --count 10 -o json`],
  ] as const) {
    it(`${args} keeps to the schema of ${schema}`, () => {
      const isValid = new Ajv({ allowUnionTypes: true }).compile(
        JSON.parse(readFileSync(join(root, `schema/${schema}-output.schema.json`), 'utf8')),
      );
      const value = JSON.parse(runCli(args.split(' ')).stdout) as object;
      assert.ok(isValid(value), JSON.stringify(isValid.errors));
      assert.ok(!isValid({ ...value, more: 1 }));
    });
  }
});
