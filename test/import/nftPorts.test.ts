import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { readDumps } from '../../src/dump/readDumps.ts';
import { nftPorts } from '../../src/seen/nft/nftPorts.ts';
import { recordedNft } from '../support/recordedNft.ts';

/** Which endpoints are of this node shows since 1.36 alone. */
function portsOf(name: string, version: string): readonly string[] {
  const recording = recordedNft().find((one) => one.name === name && one.version === version && one.family === 'v4');
  const text = readFileSync(recording?.save ?? assert.fail(`${name} ${version}`), 'utf8');
  const { nft } = readDumps([{ name: 'dump', text }], { name: 'node' });
  const ports = nft.flatMap((rules) => nftPorts(rules));
  return ports
    .map(({ localAddresses: _, sources, ...port }) => ({
      ...port,
      ranges: sources?.ranges.filter((one) => !port.loadBalancerIPs.includes(one)),
    }))
    .map((port) => JSON.stringify(Object.entries(port).sort()))
    .sort();
}

/** Neither ipMode nor hints, of which the versions think differently. */
const cases = [
  'affinity-lb-nodeport',
  'clusterip-tcp-udp-same-port',
  'lb-basic',
  'lb-source-ranges-node',
  'nodeport-etp-local',
  'policy-both-local',
  'policy-itp-local',
];

for (const name of cases) {
  test(`${name}: every version's table shows the same Services`, () => {
    const expected = portsOf(name, '1.30');
    assert.ok(expected.some((one) => one.includes('"clusterIP"')));
    for (const version of ['1.29', '1.31', '1.33.2', '1.33', '1.34', '1.35', '1.36']) {
      assert.deepEqual(portsOf(name, version), expected, version);
    }
  });
}
