import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { single, type ValueSet } from '../../src/common/ranges/valueSet.ts';
import type { WalkContext } from '../../src/walk/context.ts';
import type { Topology, WalkRoute } from '../../src/walk/input/topology.ts';
import { podAt } from '../../src/walk/podAt.ts';
import { routesTo, routeTo } from '../../src/walk/routing.ts';

const host = (at: number, type = 'unicast'): WalkRoute => ({
  type,
  destination: { first: 1000 + at, last: 1000 + at },
  length: 32,
  device: `veth${at}`,
  table: 'main',
  metric: 0,
});
const network: WalkRoute = { ...host(0), destination: { first: 900, last: 1300 }, length: 20, device: 'cni0' };
const everything: WalkRoute = { ...host(0), destination: { first: 0, last: 0xffffffff }, length: 0, device: 'eth0' };

function contextOf(routes: readonly WalkRoute[]): WalkContext {
  const pods = [
    { name: 'shop/a', addresses: [1, 2] },
    { name: 'shop/b', addresses: [2, 3] },
  ];
  const topology: Topology = {
    interfaces: new Map(),
    routes,
    rules: [],
    sysctls: new Map(),
    pods,
    hosts: [],
    assumed: new Map(),
  };
  const input = { family: 'ipv4', tables: [], ipsets: new Map(), ipvs: [], topology, connections: [], assumed: [] };
  const notes = { unknown: new Map(), assumed: new Set<string>(), notes: new Set<string>() };
  return { input, seen: new Map(), elapsed: 0, notes, caches: new Map() } as unknown as WalkContext;
}

const question = (destinations: ValueSet) => ({ destinations, source: destinations, mark: 0 });

describe('the routes of a set of addresses', () => {
  const routes = [everything, network, ...[7, 3, 11].map((at) => host(at)), host(20, 'unreachable')];
  const context = contextOf(routes);

  it('are those of each address by itself, and no address is lost', () => {
    const found = routesTo(question([{ first: 890, last: 1320 }]), context);
    const deviceOf = new Map<number, string | undefined>();
    for (const { destinations, route } of found) {
      for (const { first, last } of destinations) {
        for (let address = Number(first); address <= Number(last); address += 1) {
          assert.ok(!deviceOf.has(address), `${address} twice`);
          deviceOf.set(address, route?.device);
        }
      }
    }
    assert.equal(deviceOf.size, 431);
    for (const [address, device] of deviceOf) {
      assert.equal(device, routeTo(question(single(address)), context)?.device, `${address}`);
    }
  });

  it('begin with the route that stands for the set where one is asked for', () => {
    for (const set of [[{ first: 890, last: 1320 }], [{ first: 901, last: 950 }], [{ first: 1, last: 5 }]]) {
      assert.equal(routeTo(question(set), context), routesTo(question(set), context)[0]?.route);
    }
  });

  it('end where a route to one address says so', () => {
    const throwing = contextOf([everything, host(5, 'throw')]);
    assert.equal(routeTo(question(single(1005)), throwing), undefined);
    assert.equal(routeTo(question(single(1006)), throwing)?.device, 'eth0');
  });
});

describe('the Pod at an address', () => {
  it('is the first that has it', () => {
    const context = contextOf([]);
    assert.deepEqual(
      [1, 2, 3, 4].map((address) => podAt(address, context)?.name),
      ['shop/a', 'shop/a', 'shop/b', undefined],
    );
  });
});
