import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { compileText } from '../support/compileText.ts';
import { fuzzSeed as seed } from '../support/fuzzSeed.ts';

function service(name: string, spec: string): string {
  return `---\napiVersion: v1\nkind: Service\nmetadata: { name: ${name} }\nspec:\n${spec}`;
}

async function ports(text: string, ...args: string[]) {
  const { compiled, diagnostics } = await compileText(text, ...args);
  return { ports: compiled.model.servicePorts, codes: diagnostics.map(({ code }) => code) };
}

describe('allocation of what manifests lack', () => {
  it('does not depend on the order of the objects', async () => {
    const texts = Array.from({ length: 12 }, (_, at) =>
      service(`s${at}`, `  type: ${at % 3 === 0 ? 'NodePort' : 'ClusterIP'}\n  ports: [{ port: 80 }]\n`),
    );
    const valuesOf = async (order: readonly string[]) =>
      (await ports(order.join(''))).ports.map((port) => `${port.name} ${port.clusterIP} ${port.nodePort}`).sort();
    const expected = await valuesOf(texts);
    assert.equal(new Set(expected.map((line) => line.split(' ')[1])).size, texts.length);
    const order = fc.shuffledSubarray(texts, { minLength: texts.length });
    await fc.assert(
      fc.asyncProperty(order, async (shuffled) => assert.deepEqual(await valuesOf(shuffled), expected)),
      { seed, numRuns: 20 },
    );
  });

  it('never takes an address or a port that is taken', async () => {
    const fixed = service('fixed', '  clusterIP: 10.0.0.1\n  ports: [{ port: 80 }]\n');
    const free = service('free', '  ports: [{ port: 80 }]\n');
    const both = (await ports(fixed + free, '--service-cidr', '10.0.0.0/30')).ports;
    assert.deepEqual(
      both.map((port) => port.clusterIP),
      ['10.0.0.1', '10.0.0.2'],
    );
  });

  it('ends in an error where the range is used up', async () => {
    const texts = ['a', 'b', 'c'].map((name) => service(name, '  ports: [{ port: 80 }]\n')).join('');
    await assert.rejects(ports(texts, '--service-cidr', '10.0.0.0/30'), /no cluster IP is left in 10\.0\.0\.0\/30/);
  });

  it('fills in what each type needs, and says each value', async () => {
    const local = service('lb', '  type: LoadBalancer\n  externalTrafficPolicy: Local\n  ports: [{ port: 80 }]\n');
    const { ports: found, codes } = await ports(local);
    assert.deepEqual(codes.filter((code) => code.startsWith('allocated')).sort(), [
      'allocated-cluster-ip',
      'allocated-health-check-port',
      'allocated-node-port',
    ]);
    const [port] = found;
    assert.ok(port !== undefined && port.nodePort >= 30000 && port.nodePort < 32768);
    assert.ok(port.healthCheckNodePort >= 30000 && port.healthCheckNodePort !== port.nodePort);
    const none = service(
      'lb',
      '  type: LoadBalancer\n  allocateLoadBalancerNodePorts: false\n  ports: [{ port: 80 }]\n',
    );
    assert.equal((await ports(none)).ports[0]?.nodePort, 0);
  });

  it('gives one node port to two protocols of one port', async () => {
    const text = service(
      'dns',
      '  type: NodePort\n  ports: [{ name: udp, port: 53, protocol: UDP }, { name: tcp, port: 53 }]\n',
    );
    const [udp, tcp] = (await ports(text)).ports;
    assert.equal(udp?.nodePort, tcp?.nodePort);
  });

  it('chooses by family: both where both are required, IPv6 where it is asked for', async () => {
    const dual = service('dual', '  ipFamilyPolicy: RequireDualStack\n  ports: [{ port: 80 }]\n');
    const families = (await ports(dual)).ports.map((port) => port.family);
    assert.deepEqual(families, ['ipv4', 'ipv6']);
    const six = service('six', '  ipFamilies: [IPv6]\n  ports: [{ port: 80 }]\n');
    const [port] = (await ports(six, '--service-cidr', '10.0.0.0/16,fd00:1::/112')).ports;
    assert.match(port?.clusterIP ?? '', /^fd00:1::/);
  });

  it('leaves everything as it is with --no-allocate', async () => {
    const text = service('np', '  type: NodePort\n  ports: [{ port: 80 }]\n');
    const { ports: found, codes } = await ports(text, '--no-allocate');
    assert.deepEqual(found, []);
    assert.ok(codes.includes('no-cluster-ip'));
  });
});
