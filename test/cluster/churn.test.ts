import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { createDice } from '../kernel/walk/dice.ts';
import { runCli } from '../support/runCli.ts';
import { beginChurn, type Churn } from './churn.ts';
import { diffOf, type Snapshot, takeSnapshot } from './nodeDump.ts';
import { type Cluster, openCluster, type ProxyNode } from './openCluster.ts';
import { plantFault } from './plantFault.ts';
import { lacksCluster } from './programs.ts';
import { randomSettings } from './proxySettings.ts';
import { textDifferences } from './sameText.ts';
import { until } from './until.ts';

/**
 * Real kube-proxies with random settings follow random changes; after each round the kernel of every node holds what is
 * compiled from the objects that the API server returns. CHURN_SEED and CHURN_ROUNDS say which changes, and how many;
 * CHURN_PROXIES which kube-proxies: `1.36.3/iptables,1.37.2/nftables`.
 */
const seed = Number(process.env.CHURN_SEED ?? 1);
const rounds = Number(process.env.CHURN_ROUNDS ?? 4);
const proxies = (process.env.CHURN_PROXIES ?? '1.36.3/iptables,1.36.3/nftables,1.37.2/iptables,1.37.2/nftables')
  .split(',')
  .map((text) => {
    const [version = '', mode] = text.split('/');
    return { version, mode: mode as ProxyNode['mode'] };
  });
const reason = lacksCluster([...new Set(proxies.map(({ version }) => version))]);
const isRequired = process.env.K8SNET_REQUIRE_CLUSTER === '1';

const patience = 60_000;

describe('beside real kube-proxies', { skip: isRequired ? false : (reason ?? false) }, () => {
  const dice = createDice(seed);
  let cluster: Cluster;
  let churn: Churn;

  before(async () => {
    if (reason !== undefined) throw new Error(reason);
    cluster = await openCluster(proxies.map((kind) => ({ ...kind, settings: randomSettings(dice, kind) })));
    churn = await beginChurn(
      cluster.api,
      dice,
      cluster.nodes.map(({ name }) => name),
    );
  });
  after(async () => await cluster?.close());

  for (let round = 1; round <= rounds; round += 1) {
    it(`seed ${seed}, round ${round}: each node holds what is compiled`, async () => {
      const changes = await churn.round();
      const hasOtherRanges = changes.some((text) => text.includes('ServiceCIDR'));
      for (const node of cluster.nodes) {
        // kube-proxy writes the ranges of cluster IPs with a full sync only; until then diff says so and ends with 0.
        if (hasOtherRanges && node.mode === 'nftables') await node.restart();
        await settled(node, changes);
      }
    });

    it(`seed ${seed}, round ${round}: a fault is named, and gone after a full sync`, async () => {
      const node = dice.pick(cluster.nodes);
      const what = await plantFault(node, dice);
      if (what === undefined) return;
      const snapshot = await takeSnapshot(cluster.api, node);
      const { status, text } = diffOf(snapshot, node);
      snapshot.remove();
      assert.equal(status, 1, `${what}: ${text}`);
      assert.match(text, /K8N\d{3}/, what);
      await node.restart();
      await settled(node, [what]);
    });
  }

  async function settled(node: ProxyNode, changes: readonly string[]): Promise<void> {
    let seen = '';
    let last: Snapshot | undefined;
    const holds = async () => {
      last?.remove();
      const snapshot = await takeSnapshot(cluster.api, node);
      last = snapshot;
      const { status, text } = diffOf(snapshot, node);
      // Where slices disagree chance decides, and diff takes what it finds.
      const isOpen = text.includes('K8N906');
      const others = status === 0 && !isOpen ? textDifferences(snapshot, node) : [];
      seen = others.length > 0 ? others.join('\n') : text;
      const isSame = status === 0 && others.length === 0;
      if (isSame) doctorFindsNothing(snapshot.dumps, node);
      return isSame;
    };
    await until('sync', patience, holds).catch(async () => {
      // Rarely kube-proxy itself is behind for good (a change of its Node's zone that came while it started): diff is right
      // then, and a new process writes what is compiled.
      console.error(`${node.name} was behind until it was restarted: ${seen}`);
      await node.restart();
      await until('sync', patience, holds).catch((problem: Error) => {
        const { name, version, mode } = node;
        if (last !== undefined) writeFileSync(join(last.folder, 'kube-proxy.log'), node.log());
        const kept = `objects, dumps and the log of kube-proxy are in ${last?.folder}`;
        throw new Error(
          `${problem.message}\n${name}: ${version} ${mode}, after\n${changes.join('\n')}\n${seen}\n${kept}`,
        );
      });
    });
    last?.remove();
  }
});

function doctorFindsNothing(dumps: readonly string[], { name }: ProxyNode): void {
  const { stdout } = runCli(['doctor', ...dumps, '-o', 'json']);
  const { findings } = JSON.parse(stdout) as {
    readonly findings: readonly { readonly id: string; readonly severity: string; readonly seen: string }[];
  };
  const errors = findings.filter(({ severity }) => severity === 'error').map(({ id, seen }) => `${id} ${seen}`);
  assert.deepEqual(errors, [], `doctor of ${name}`);
}
