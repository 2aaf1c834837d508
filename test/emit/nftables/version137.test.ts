import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { toFiles } from '../../../src/public/core.ts';
import { orThrow } from '../../../src/public/result.ts';
import { compileText } from '../../support/compileText.ts';

/** What kube-proxy 1.37 writes in another way than 1.36. */

const long = 'n'.repeat(63);
const objects = (name: string, addresses: readonly string[]) => `apiVersion: v1
kind: Service
metadata: { name: ${name}, namespace: ${name} }
spec: { type: NodePort, clusterIP: 10.96.0.10, ports: [{ name: ${name}, port: 80, nodePort: 30080 }] }
---
apiVersion: discovery.k8s.io/v1
kind: EndpointSlice
metadata: { name: ${name}, namespace: ${name}, labels: { kubernetes.io/service-name: ${name} } }
addressType: IPv4
ports: [{ name: ${name}, port: 8080 }]
endpoints: [${addresses.map((ip) => `{ addresses: [${ip}] }`).join(', ')}]
`;
const nftables = ['--mode', 'nftables', '--node-ip', '192.168.10.1'];

describe('kube-proxy 1.37 in nftables mode', () => {
  const textOf = async (version: string, addresses: readonly string[], name = 'web') => {
    const { compiled } = await compileText(objects(name, addresses), ...nftables, '--kube-version', version);
    const codes: string[] = [];
    const { all } = await orThrow(toFiles(compiled), ({ code }) => codes.push(code));
    const rules = [...(all.find((file) => file.name === 'nft.v4.restore')?.text() ?? [])].join('');
    return { rules, codes };
  };

  it('names a single endpoint in the DNAT rule, and balances over several', async () => {
    const one = await textOf('1.37', ['10.244.1.5']);
    assert.match(one.rules, /service-\S+ meta l4proto tcp dnat to 10\.244\.1\.5:8080$/m);
    assert.match((await textOf('1.36', ['10.244.1.5'])).rules, /numgen random mod 1 map/);
    assert.match((await textOf('1.37', ['10.244.1.5', '10.244.1.6'])).rules, /numgen random mod 2 map/);
  });

  it('cuts comments to the 128 bytes that nft takes; before, nothing is loaded', async () => {
    const whole = `${long}/${long}:${long.slice(0, 15)}`;
    const cut = await textOf('1.37', [], long);
    assert.match(cut.rules, new RegExp(`comment "${whole.slice(0, 128)}"`));
    assert.ok(!cut.codes.includes('rules-not-loadable'));
    assert.ok((await textOf('1.36', [], long)).codes.includes('rules-not-loadable'));
  });
});

describe('words in nodePortAddresses', () => {
  const openOn = async (version: string, words: string, ...args: readonly string[]) => {
    const target = [...args, '--node-ip', '192.168.10.1', '--kube-version', version, '--nodeport-addresses', words];
    const { compiled } = await compileText(objects('web', ['10.244.1.5']), ...target);
    return compiled.plans[0]?.node.nodePorts;
  };

  it('stand alone, together and beside networks from 1.37 on', async () => {
    const primary = { kind: 'addresses', addresses: ['192.168.10.1'] };
    assert.deepEqual(await openOn('1.37', 'primary'), primary);
    assert.deepEqual(await openOn('1.37', 'primary,localhost'), {
      kind: 'addresses',
      addresses: ['127.0.0.1', '192.168.10.1'],
    });
    assert.deepEqual(await openOn('1.37', 'all', '--mode', 'nftables'), { kind: 'anyLocal' });
    assert.deepEqual(await openOn('1.37', 'primary,10.0.0.0/8'), primary);
  });

  it('are refused where the version does not take them', async () => {
    await assert.rejects(openOn('1.36', 'primary,localhost'), /kube-proxy 1\.36 does not take "localhost"/);
    await assert.rejects(openOn('1.36', 'all'), /does not take "all"/);
    await assert.rejects(openOn('1.36', 'primary,10.0.0.0/8'), /does not take "primary"/);
    await assert.rejects(openOn('1.30', 'primary'), /does not take "primary"/);
  });
});
