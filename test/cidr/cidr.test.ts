import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { Ajv } from 'ajv';
import fc from 'fast-check';
import { compareNetworks } from '../../src/cidr/compareNetworks.ts';
import { type Network, parseNetwork } from '../../src/cidr/parseNetwork.ts';
import { parseCidr } from '../../src/common/addresses/cidr.ts';
import { formatIp } from '../../src/common/addresses/ip.ts';
import { root } from '../support/compileCase.ts';
import { fuzzSeed } from '../support/fuzzSeed.ts';
import { runCli } from '../support/runCli.ts';

const run = (...args: readonly string[]) => runCli(['cidr', ...args]);

describe('k8snet cidr', () => {
  it('what the posts say of two networks', () => {
    const { status, stdout } = run('222.80.18.18/25', '125.203.96.0-125.203.127.255');
    assert.equal(status, 0);
    assert.equal(
      stdout,
      `222.80.18.18/25 = 222.80.18.0/25: 222.80.18.0 - 222.80.18.127, 128 addresses; 222.80.18.18 is an address inside it
125.203.96.0-125.203.127.255 = 125.203.96.0/19: 125.203.96.0 - 125.203.127.255, 8192 addresses
`,
    );
  });

  it('overlaps are a finding', () => {
    const { status, stdout } = run('10.96.0.0/12', '10.100.0.0 - 10.120.0.0', 'fd00::/64', '10.96.0.0/16', '::/0');
    assert.equal(status, 1);
    assert.deepEqual(stdout.split('\n').slice(5, -1), [
      '10.96.0.0/12 contains 10.96.0.0/16',
      '10.96.0.0/12 overlaps 10.100.0.0 - 10.120.0.0',
      '::/0 contains fd00::/64',
    ]);
    assert.equal(run('10.96.0.0/12', '10.244.0.0/16', 'fd00::/8').status, 0);
    assert.match(run('10.0.0.0/8', '10.0.0.0-10.255.255.255').stdout, /are the same/);
  });

  it('membership', () => {
    const found = run('10.0.0.0/8', '10.244.1.0/24', '--contains', '10.244.1.5');
    assert.match(found.stdout, /\n10\.244\.1\.5 is in 10\.244\.1\.0\/24, 10\.0\.0\.0\/8\n$/);
    assert.equal(found.status, 0);
    const missed = run('10.0.0.0/8', '--contains', '10.1.0.0/16', '--contains', '11.0.0.1');
    assert.match(missed.stdout, /11\.0\.0\.1 is in none of them\n$/);
    assert.equal(missed.status, 1);
  });

  it('JSON keeps to its schema', () => {
    const isValid = new Ajv({ allowUnionTypes: true }).compile(
      JSON.parse(readFileSync(join(root, 'schema/cidr-output.schema.json'), 'utf8')),
    );
    const { stdout } = run('fd00::5/64', '10.0.0.1-10.0.0.6', '10.0.0.2', '--contains', '10.0.0.2', '-o', 'json');
    assert.ok(isValid(JSON.parse(stdout)), JSON.stringify(isValid.errors));
    const value = JSON.parse(stdout);
    assert.deepEqual(value.networks[1].prefixes, ['10.0.0.1/32', '10.0.0.2/31', '10.0.0.4/31', '10.0.0.6/32']);
    assert.equal(value.networks[0].addresses, '18446744073709551616');
    assert.equal(value.networks[0].insideAddress, 'fd00::5');
    assert.deepEqual(value.overlaps, [{ kind: 'contains', a: '10.0.0.1-10.0.0.6', b: '10.0.0.2' }]);
    assert.deepEqual(value.memberships[0].networks, ['10.0.0.2', '10.0.0.1-10.0.0.6']);
  });

  it('refuses what is no network', () => {
    for (const text of [
      '10.0.0.0/33',
      '10.0.0.9-10.0.0.1',
      '10.0.0.1-fd00::1',
      'x',
      '1-2-3',
      '10.0.0.0/8-10.0.0.0/9',
    ]) {
      const { status, stdout, stderr } = run(text);
      assert.equal(status, 2, text);
      assert.equal(stdout, '');
      assert.match(stderr, /Give a CIDR/);
    }
  });
});

describe('ranges', () => {
  const number = fc.nat(0xffffffff);
  const rangeText = fc.tuple(number, number).map(([a, b]) => {
    const text = (value: number) => formatIp({ family: 'ipv4', value });
    return `${text(Math.min(a, b))}-${text(Math.max(a, b))}`;
  });

  it('prefixes cover a range, without gaps and overlaps', () => {
    fc.assert(
      fc.property(rangeText, (text) => {
        const network = parseNetwork(text) as Network;
        let next = network.range.first;
        for (const prefix of network.prefixes) {
          const cidr = parseCidr(prefix);
          assert.equal(cidr?.text, prefix);
          assert.equal(BigInt(cidr?.first ?? -1), next);
          next = BigInt(cidr?.last ?? -1) + 1n;
        }
        assert.equal(next, network.range.last + 1n);
      }),
      { seed: fuzzSeed },
    );
  });

  it('overlaps are those that every pair by itself has', () => {
    fc.assert(
      fc.property(fc.array(rangeText, { maxLength: 8 }), (texts) => {
        const networks = texts.map((text) => parseNetwork(text) as Network);
        const wanted = networks.flatMap((a, index) =>
          networks.slice(index + 1).filter((b) => a.range.first <= b.range.last && b.range.first <= a.range.last),
        ).length;
        assert.equal(compareNetworks(networks).length, wanted);
      }),
      { seed: fuzzSeed },
    );
  });
});

describe('masks in dots', () => {
  it('are lengths', () => {
    assert.match(run('10.229.52.0/255.255.254.0').stdout, /^10\.229\.52\.0\/255\.255\.254\.0 = 10\.229\.52\.0\/23: /);
    for (const wrong of ['10.0.0.0/255.0.255.0', '10.0.0.0/0.0.0.255', 'fd00::/255.0.0.0', '10.0.0.0/255.0.0.0/8'])
      assert.equal(run(wrong).status, 2, wrong);
  });
});
