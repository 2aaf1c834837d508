import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { canonicalIp } from '../../../src/common/addresses/ip.ts';
import { serviceKey } from '../../../src/netfilter/ipvs/applyCommands.ts';
import type { IpvsState, RealServer, ServiceAddress, VirtualService } from '../../../src/netfilter/ipvs/ast.ts';
import { printListing } from '../../../src/netfilter/ipvs/listing.ts';
import { parseIpvs } from '../../../src/netfilter/ipvs/parseIpvs.ts';
import { printIpvs } from '../../../src/netfilter/ipvs/printIpvs.ts';
import { sortServices } from '../../../src/netfilter/ipvs/sortServices.ts';
import { fuzzSeed as seed } from '../../support/fuzzSeed.ts';

const runs = { seed, numRuns: 200 };

const ipv6 = fc
  .ipV6()
  .map((text) => canonicalIp(text) ?? '::1')
  .filter((text) => text.includes(':') && !text.includes('.'));
// Addresses like ::5 have an IPv4 tail in the C library's spelling.
const ip = fc.oneof(
  fc.ipV4(),
  ipv6.filter((text) => !/^::[0-9a-f:]*$/.test(text)),
);
const port = fc.integer({ min: 1, max: 65535 });

const address: fc.Arbitrary<ServiceAddress> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('address' as const),
      protocol: fc.constantFrom('tcp', 'udp', 'sctp'),
      ip,
      port,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('mark' as const),
      mark: fc.integer({ min: 1, max: 0xffffffff }),
      family: fc.constantFrom('ipv4', 'ipv6'),
    }),
  },
);

function service(of: ServiceAddress): fc.Arbitrary<VirtualService> {
  const isIpv6 = of.kind === 'mark' ? of.family === 'ipv6' : of.ip.includes(':');
  const mask = isIpv6 ? fc.integer({ min: 1, max: 127 }).map(String) : fc.constantFrom('255.255.255.0', '255.0.0.0');
  const servers = fc.uniqueArray(server(of), { selector: (one) => `${one.ip} ${one.port}`, maxLength: 4 });
  return fc
    .record(
      {
        persistence: fc.record({ seconds: port, mask }, { requiredKeys: ['seconds'] }),
        isOnePacket: fc.constant(true as const),
        engine: fc.constant('sip'),
        flags: fc.constantFrom([], ['sh-port'], ['sh-fallback', 'sh-port'], ['sh-fallback', 'flag-3']),
        servers,
      },
      { requiredKeys: ['flags', 'servers'] },
    )
    .map((rest) => ({ address: of, scheduler: 'sh', ...rest }));
}

/** Only masquerading has a port of its own. */
function server(of: ServiceAddress): fc.Arbitrary<RealServer> {
  const weight = fc.nat(2 ** 31 - 1);
  const own = of.kind === 'mark' ? 0 : of.port;
  return fc.oneof(
    fc.record({ ip, port: fc.nat(65535), forward: fc.constant('masquerade' as const), weight }),
    fc.record({
      ip,
      port: fc.constant(own),
      forward: fc.oneof(fc.constant('route' as const), fc.constant({ kind: 'tunnel' as const, type: 'ipip' })),
      weight,
    }),
  );
}

const state: fc.Arbitrary<IpvsState> = fc
  .uniqueArray(address, { selector: serviceKey, maxLength: 5 })
  .chain((addresses) => fc.tuple(...addresses.map(service)))
  .map((services) => ({ kind: 'ipvs', services }));

const timeouts = fc.record({ tcp: port, tcpFin: port, udp: port });

test(`a printed state is read as the same state, from ipvsadm -Sn and from -Ln (seed ${seed})`, () => {
  fc.assert(
    fc.property(state, fc.option(timeouts, { nil: undefined }), (drawn, times) => {
      // fast-check makes some objects without a prototype.
      const given = structuredClone(drawn);
      const timed = times === undefined ? given : { ...given, timeouts: structuredClone(times) };
      assert.deepEqual(withoutLines(read([...printIpvs(timed)].join(''))), timed);
      assert.deepEqual(withoutLines(read([...printListing(given)].join(''))), given);
    }),
    runs,
  );
});

test(`services have one order, wherever they came from (seed ${seed})`, () => {
  fc.assert(
    fc.property(state, ({ services }) => {
      const sorted = sortServices(services);
      assert.deepEqual(sortServices([...services].reverse()), sorted);
      assert.equal(sorted.length, services.length);
    }),
    runs,
  );
});

test(`no text makes the reader throw, and problems name lines that are there (seed ${seed})`, () => {
  const words = fc.constantFrom(
    '-A',
    '-a',
    '-t',
    '10.0.0.1:80',
    '-s',
    'rr',
    'TCP',
    '->',
    'Masq',
    '1',
    'Prot',
    'IP Virtual Server',
  );
  const line = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(words, { maxLength: 6 }).map((all) => all.join(' ')),
  );
  fc.assert(
    fc.property(fc.array(line, { maxLength: 6 }), (lines) => {
      const text = lines.join('\n');
      const count = text.split('\n').length;
      parseIpvs(text, (problem) => {
        assert.ok(problem.line >= 1 && problem.line <= count, `line ${problem.line} of ${count}`);
      });
    }),
    runs,
  );
});

function read(text: string): IpvsState {
  return parseIpvs(text, (problem) => assert.fail(`${JSON.stringify(problem)} in\n${text}`));
}

function withoutLines({ services, ...rest }: IpvsState): IpvsState {
  return {
    ...rest,
    services: services.map(({ line: _line, servers, ...one }) => ({
      ...one,
      servers: servers.map(({ line: _serverLine, ...server }) => server),
    })),
  };
}
