import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { drawn } from '../support/drawn.ts';
import {
  askHealthy,
  type RecordedPacket,
  recordedPackets,
  type Shown,
  shownFiles,
} from '../support/healthy/askHealthy.ts';
import { healthyNames, readHealthyCase } from '../support/healthy/healthyCase.ts';
import { findingsOf, manifestsOf, trueOfManifests } from '../support/healthy/healthyFindings.ts';

/** Nodes of `fixtures/healthy`, on which another program has rules beside kube-proxy's: no alarm is true there. */

const noFacts = /\/(?:addresses|routes|bridge|sysctl|policy-rules)/;
const noSets = /\/ipset/;
const everything: Shown = { hasManifests: true };

const shows: Readonly<Record<string, Shown>> = {
  everything,
  'the dump alone': { hasManifests: false },
  'rules and manifests alone': { hasManifests: true, without: noFacts },
  'rules alone': { hasManifests: false, without: noFacts },
  'no routes': { hasManifests: true, without: /\/(?:routes|policy-rules)/ },
  // Each family has a listing of its own, and `ip -4` or `ip -6` show one.
  'routes of IPv4 alone': { hasManifests: true, without: /\/(?:routes\.v6|policy-rules)/ },
  'routes of IPv6 alone': { hasManifests: true, without: /\/(?:routes\.v4|policy-rules)/ },
  'no sets': { hasManifests: true, without: noSets },
  'no addresses': { hasManifests: true, without: /\/addresses/ },
};

describe('a healthy node with rules of other programs', () => {
  for (const name of healthyNames()) {
    const healthy = readHealthyCase(name);
    it(`${name}: no finding that is not true`, () => {
      const doctor = findingsOf(['doctor', join(healthy.folder, 'node')]);
      assert.deepEqual(doctor.ids, healthy.expected.doctor, doctor.text);
      assert.equal(doctor.status, healthy.expected.doctor.length > 0 ? 1 : 0, doctor.text);
      const diff = findingsOf(['diff', ...manifestsOf(healthy), join(healthy.folder, 'node')]);
      const others = diff.ids.filter((id) => !trueOfManifests.has(id));
      assert.deepEqual(others, healthy.expected.diff, diff.text);
      assert.equal(diff.status, healthy.expected.diff.length > 0 ? 1 : 0, diff.text);
      assert.equal(diff.changes, 0, diff.text);
      assert.ok(diff.same >= 10, `${diff.same} Services are the same`);
    });

    it(`${name}: no alarm where parts were not given`, () => {
      const files = shownFiles(healthy, { hasManifests: true, without: noFacts });
      const doctor = findingsOf(['doctor', ...files]);
      assert.deepEqual(doctor.ids, healthy.expected.doctor, doctor.text);
      const diff = findingsOf(['diff', ...manifestsOf(healthy), ...files]);
      const others = diff.ids.filter((id) => !trueOfManifests.has(id));
      assert.deepEqual(others, healthy.expected.diff, diff.text);
    });

    const hasSets = shownFiles(healthy, everything).some((file) => noSets.test(file));
    for (const [what, shown] of Object.entries(shows)) {
      if (shown.without === noSets && !hasSets) continue;
      it(`${name}: why, with ${what}`, async () => {
        const ask = await askHealthy(healthy, shown);
        let arrived = 0;
        // Without its sets each rule of IPVS mode leaves two ways open: nothing is known, and that takes its time.
        const isOpen = shown.without === noSets && healthy.args.includes('ipvs');
        const packets = recordedPackets(healthy);
        const asked = isOpen ? packets.slice(0, 2) : shown === everything ? packets : drawn(packets);
        for (const packet of asked) {
          const answer = ask(packet);
          assert.ok(typeof answer !== 'string', `${packet.name}: ${answer}`);
          const { verdict, causes } = answer.why;
          const said = `${packet.name}: ${verdict}: ${causes.map(({ what }) => what).join('\n')}`;
          const allowed = shown === everything ? [recorded(packet)] : [recorded(packet), 'unknown'];
          assert.ok(allowed.includes(verdict), said);
          // Who does not know says what would tell.
          if (verdict === 'unknown') assert.ok(causes[0]?.isUnknown, said);
          if (verdict === 'arrives') arrived += 1;
        }
        if (isOpen) assert.equal(arrived, 0);
        if (asked.length === packets.length) assert.ok(arrived > 0);
      });
    }
  }
});

function recorded({ isAnswered }: RecordedPacket): 'arrives' | 'fails' {
  return isAnswered ? 'arrives' : 'fails';
}
