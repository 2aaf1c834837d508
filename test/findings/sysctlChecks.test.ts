import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readDumps } from '../../src/dump/readDumps.ts';
import { sysctlChecks } from '../../src/findings/checks/node/sysctlChecks.ts';

/** What the table of a family holds where it has no Services, and one chain of a Service. */
function table(family: 'ip' | 'ip6', more = ''): string {
  return `table ${family} kube-proxy {
	chain services {
	}

	chain service-endpoints-check {
	}
${more}}
`;
}

const ofService = `
	chain service-CFEN7SHY-shop/web/tcp/http {
	}
`;

function seen(rules: string, sysctls: string): readonly (readonly [string | undefined, string])[] {
  const node = readDumps(
    [
      { name: 'nft.txt', text: rules },
      { name: 'sysctl.txt', text: sysctls },
    ],
    { name: 'n1' },
  );
  return sysctlChecks(node).map(({ family, what: text }) => [family, text]);
}

const forwards = 'net.ipv4.ip_forward = 1\nnet.ipv6.conf.all.forwarding = 0\n';

test('a node that does not forward IPv6 is in order without IPv6 Services', () => {
  assert.deepEqual(seen(table('ip', ofService) + table('ip6'), forwards), []);
});

test('a node that does not forward is not', () => {
  assert.deepEqual(seen(table('ip') + table('ip6', ofService), forwards), [
    ['ipv6', 'net.ipv6.conf.all.forwarding is 0, and there are IPv6 Services'],
  ]);
  assert.deepEqual(seen(table('ip', ofService), 'net.ipv4.ip_forward = 0\n'), [['ipv4', 'net.ipv4.ip_forward is 0']]);
});
