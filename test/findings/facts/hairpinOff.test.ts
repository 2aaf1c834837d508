import assert from 'node:assert/strict';
import { it } from 'node:test';
import { readDumps } from '../../../src/dump/readDumps.ts';
import { hairpinOff } from '../../../src/findings/checks/node/hairpinOff.ts';

/** What is said of ports given as `name bridge on|off`. */
function seen(...ports: readonly string[]): readonly string[] {
  const text = ports
    .map((port, at) => port.split(' ').concat(String(at + 1)))
    .map(
      ([name, bridge, hairpin, at]) =>
        `${at}: ${name}@if2: <UP> mtu 1450 master ${bridge} state forwarding\n    hairpin ${hairpin}\n`,
    )
    .join('');
  const dump = readDumps([{ name: 'bridge', text, kind: 'bridge' }], { name: 'node' });
  assert.deepEqual(dump.unread, []);
  return hairpinOff(dump).map((finding) => `${finding.what}; ${/dev (\S+)/.exec(finding.fix)?.[1]}`);
}

it('names each bridge whose Pods cannot reach themselves', () => {
  assert.deepEqual(seen('veth1 cni0 off', 'veth2 cni0 on', 'veth3 cbr0 off', 'veth4 kube-bridge on'), [
    'hairpin is off on 1 of 2 veth ports of the bridge cni0; veth1',
    'hairpin is off on 1 of 1 veth ports of the bridge cbr0; veth3',
  ]);
});

it('leaves bridges of other programs alone; Docker’s holds Pods where there is no other', () => {
  assert.deepEqual(seen('veth1 docker0 off', 'veth2 cni0 on', 'veth3 virbr0 off', 'veth4 br-0123456789ab off'), []);
  assert.equal(seen('veth1 docker0 off', 'veth4 br-0123456789ab off').length, 1);
});

it('gives no command with a name that a shell would read otherwise', () => {
  assert.deepEqual(seen('veth$(reboot) a\u202eb off'), [
    'hairpin is off on 1 of 1 veth ports of the bridge a\\u202eb; INTERFACE',
  ]);
  assert.match(seen('-x cni0 off')[0] ?? '', /INTERFACE$/);
});
