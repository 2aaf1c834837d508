import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import {
  askHealthy,
  type RecordedPacket,
  recordedPackets,
  type Shown,
  shownFiles,
} from '../support/healthy/askHealthy.ts';
import { type HealthyCase, healthyNames, readHealthyCase } from '../support/healthy/healthyCase.ts';
import { findingsOf, manifestsOf } from '../support/healthy/healthyFindings.ts';

/** Nodes of `fixtures/healthy`, on which another program has rules beside kube-proxy's: no alarm is true there. */

const everything: Shown = { hasManifests: true };

const shows: Readonly<Record<string, Shown>> = {
  everything,
  'the dump alone': { hasManifests: false },
  'rules and manifests alone': { hasManifests: true, without: /\/(?:addresses|routes|bridge|sysctl|policy-rules)/ },
  'rules alone': { hasManifests: false, without: /\/(?:addresses|routes|bridge|sysctl|policy-rules)/ },
  'no routes': { hasManifests: true, without: /\/(?:routes|policy-rules)/ },
  'no sets': { hasManifests: true, without: /\/ipset/ },
  'no addresses': { hasManifests: true, without: /\/addresses/ },
};

/** What the manifests mean for clients, on every node: source ranges, and localhost in nftables mode. */
const trueOfManifests: ReadonlySet<string> = new Set(['K8N506', 'K8N802']);

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
      for (const parts of [
        /\/(?:addresses|routes|bridge)/,
        /\/(?:addresses|routes|bridge|sysctl|policy-rules|ipset)/,
      ]) {
        const files = filesOf(healthy, parts);
        const doctor = findingsOf(['doctor', ...files]);
        assert.deepEqual(doctor.ids, healthy.expected.doctor, doctor.text);
        const diff = findingsOf(['diff', ...manifestsOf(healthy), ...files]);
        const others = diff.ids.filter((id) => !trueOfManifests.has(id));
        assert.deepEqual(others, healthy.expected.diff, diff.text);
      }
    });

    for (const [what, shown] of Object.entries(shows)) {
      it(`${name}: why, with ${what}`, async () => {
        const ask = await askHealthy(healthy, shown);
        let arrived = 0;
        // Without its sets each rule of IPVS mode leaves two ways open.
        const few = healthy.args.includes('ipvs') && shown.without?.test('/ipset') ? 6 : Number.POSITIVE_INFINITY;
        for (const packet of recordedPackets(healthy).slice(0, few)) {
          const answer = ask(packet);
          assert.ok(typeof answer !== 'string', `${packet.name}: ${answer}`);
          const { verdict, causes } = answer.why;
          const said = `${packet.name}: ${verdict}: ${causes.map(({ sentence }) => sentence).join('\n')}`;
          const allowed = shown === everything ? [recorded(packet)] : [recorded(packet), 'unknown'];
          assert.ok(allowed.includes(verdict), said);
          // Who does not know says what would tell.
          if (verdict === 'unknown') assert.ok(causes[0]?.isUnknown, said);
          if (verdict === 'arrives') arrived += 1;
        }
        assert.ok(arrived > 0 || few === 6);
      });
    }
  }
});

function recorded({ isAnswered }: RecordedPacket): 'arrives' | 'fails' {
  return isAnswered ? 'arrives' : 'fails';
}

function filesOf(healthy: HealthyCase, without: RegExp): readonly string[] {
  return shownFiles(healthy, { hasManifests: true, without });
}
