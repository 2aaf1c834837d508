import assert from 'node:assert/strict';
import { existsSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { askHealthy, recordedPackets } from '../support/healthy/askHealthy.ts';
import { type Fault, type HealthyCase, healthyNames, readHealthyCase } from '../support/healthy/healthyCase.ts';
import { findingsOf, manifestsOf } from '../support/healthy/healthyFindings.ts';
import { plantFault, usualFaults } from '../support/healthy/plantFault.ts';

/** What is broken on a node of `fixtures/healthy` is named first, by whom it can be seen. */

describe('a fault on a node with rules of other programs', () => {
  for (const name of healthyNames()) {
    const healthy = readHealthyCase(name);
    for (const fault of [...usualFaults(healthy), ...healthy.faults]) {
      it(`${name}: ${fault.what}`, async () => {
        const files = plantFault(healthy, fault);
        try {
          const { doctor, diff } = fault.named;
          if (doctor !== undefined) namedFirst(doctor, ['doctor', ...files]);
          if (diff !== undefined) namedFirst(diff, ['diff', ...manifestsOf(healthy), ...files]);
          assert.ok(doctor ?? diff ?? fault.lost, 'nobody is asked');
          if (fault.lost === undefined) return;
          const causes = isLost(fault, await askHealthy(healthy, { hasManifests: true }, files));
          const isSeen = unseen[fault.what] === undefined;
          if (causes[0] === 'somebody-in-front' && doctor === undefined) walkedInto(withTwins(files, healthy), isSeen);
        } finally {
          rmSync(dirname(files[0] as string), { recursive: true });
        }
      });
    }

    function isLost({ lost, why = '.' }: Fault, ask: Awaited<ReturnType<typeof askHealthy>>): readonly string[] {
      const packet = recordedPackets(healthy).find((one) => one.name === lost);
      assert.ok(packet?.isAnswered, `${lost}: no packet that arrives`);
      const answer = ask(packet);
      assert.ok(typeof answer !== 'string', `${lost}: ${answer}`);
      const said = answer.why.causes.map(({ what, evidence }) =>
        [what, ...evidence.map(({ text }) => text)].join('\n'),
      );
      assert.equal(answer.why.verdict, 'fails', said.join('\n\n'));
      assert.ok(new RegExp(why).test(said[0] ?? ''), said.join('\n\n'));
      return answer.why.causes.map(({ code }) => code);
    }
  }
});

function namedFirst(id: string, args: readonly string[]): void {
  const { ids, status, text } = findingsOf(args);
  assert.equal(ids[0], id, text);
  assert.equal(status, 1, text);
}

/** What no packet to a Service from a Pod, the node or outside shows, with the reason. */
const unseen: Readonly<Record<string, string>> = {
  'the profile of a namespace lets nothing in': 'policies deny it, as they are meant to',
  'a customer is banned': 'one sender alone is kept out',
  'the Pods are no source of the zone trusted where packets are forwarded': 'firewalld accepts what is translated',
};

/** doctor judges no rules of iptables-nft by what nft lists of them. */
function withTwins(files: readonly string[], { args, folder }: HealthyCase): readonly string[] {
  const isListed = files.some((file) => basename(file) === 'nft.txt') && !args.includes('nftables');
  const twins = ['v4', 'v6'].map((family) => join(folder, 'node/dumps', `iptables.nft.${family}.save`));
  return isListed ? [...files, ...twins.filter((file) => existsSync(file))] : files;
}

/** doctor meets the rule that why names. */
function walkedInto(files: readonly string[], isSeen: boolean): void {
  const { ids, text } = findingsOf(['doctor', ...files]);
  assert.equal(
    ids.some((id) => /^K8N(?:518|519|520|60\d|504)$/.test(id)),
    isSeen,
    `doctor: ${text}`,
  );
}
