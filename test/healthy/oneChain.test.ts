import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { after, describe, it } from 'node:test';
import { isProxyTable } from '../../src/netfilter/proxyChains.ts';
import { drawn } from '../support/drawn.ts';
import { recordedPackets, shownFiles } from '../support/healthy/askHealthy.ts';
import { readHealthyCase } from '../support/healthy/healthyCase.ts';
import { findingsOf, manifestsOf, trueOfManifests } from '../support/healthy/healthyFindings.ts';
import { runCli } from '../support/runCli.ts';

/** What people show of a node when they were told to look at one chain, one set or one map. */
interface Piece {
  readonly what: string;
  readonly text: string;
  /** Whether so many Services may be said to be as expected. */
  readonly same: (number: number) => boolean;
}

/** `iptables -t nat -S KUBE-SERVICES`, of every chain. */
function* ofSave(save: string): Generator<Piece> {
  for (const [, table = '', body = ''] of save.matchAll(/^\*(\w+)\n((?:.*\n)*?)COMMIT\n/gm)) {
    const lines = body.split('\n').map((line) => line.replace(/^\[\d+:\d+\] /, ''));
    for (const line of lines) {
      const [, chain, policy] = /^:(\S+) (\S+)/.exec(line) ?? [];
      if (chain === undefined || chain.startsWith('KUBE-SEP-')) continue;
      const head = policy === '-' ? `-N ${chain}` : `-P ${chain} ${policy}`;
      const rules = lines.filter((one) => one.startsWith(`-A ${chain} `));
      const isOfOne = /^KUBE-(?:SVC|SVL|EXT|FW)-/.test(chain) || (table === 'filter' && chain === 'KUBE-SERVICES');
      yield {
        what: `iptables -t ${table} -S ${chain}`,
        text: `${[head, ...rules].join('\n')}\n`,
        same: (number) => number === 0 || (isOfOne && number === 1),
      };
    }
  }
}

/** `nft list chain ip kube-proxy services`, and the same of every chain, set and map; then all of a kind. */
function* ofNft(listing: string): Generator<Piece> {
  const all = { chain: '', set: '', map: '' };
  for (const [, table = '', body = ''] of listing.matchAll(/^table (.*) \{\n((?:\t.*\n|\n)*?)\}\n/gm)) {
    const own = { chain: '', set: '', map: '' };
    for (const [block, kind = '', name = ''] of body.matchAll(/^\t(chain|set|map) (\S+) \{\n(?:\t\t.*\n)*?\t\}\n/gm)) {
      // Another program's chain with a hook, or without rules, may be all that there is.
      if (!isProxyTable(table) && (/ hook /.test(block) || !/\n\t\t/.test(block))) continue;
      const isOfOne = /^(?:service|local|external|endpoint|firewall|affinity|no-endpoint)-/.test(name);
      const text = `table ${table} {\n${block}}\n`;
      const same = (number: number) => number === 0 || (isOfOne && number === 1);
      yield { what: `nft list ${kind} ${table} ${name}`, text, same };
      own[kind as keyof typeof own] += kind === 'chain' ? block.replace(/^\t\t(?!type ).*\n/gm, '') : block;
    }
    for (const kind of ['chain', 'set', 'map'] as const) {
      if (isProxyTable(table)) all[kind] += `table ${table} {\n${own[kind]}}\n`;
    }
  }
  // The Service without endpoints is in a map alone.
  for (const kind of ['chain', 'set', 'map'] as const)
    yield { what: `nft list ${kind}s`, text: all[kind], same: (number) => number <= (kind === 'map' ? 1 : 0) };
}

const folder = mkdtempSync(join(tmpdir(), 'k8snet-chain-'));
after(() => rmSync(folder, { recursive: true }));
const file = join(folder, 'piece.txt');

/** A FORWARD that drops has a finding of its own, which leaves open what ufw's chains accept. */
const nodes = ['calico-ipvs', 'calico-nft', 'cilium-chained', 'istio-ambient', 'k3s', 'kind-nftables'];
/** Of these, packets are walked too. */
const walked = /(?:calico-nft.*v4\.save|kind-nftables.*nft\.txt)$/;

describe('a healthy node, of which one chain, set or map is given', () => {
  for (const name of nodes) {
    const healthy = readHealthyCase(name);
    const [packet] = recordedPackets(healthy).filter(({ isAnswered, proto }) => isAnswered && proto === 'tcp');
    assert.ok(packet);
    const isOfNft = healthy.args.includes('nftables');
    for (const path of shownFiles(healthy, { hasManifests: true })) {
      const of =
        !isOfNft && /iptables.*\.save$/.test(path) ? ofSave : isOfNft && /nft\.txt$/.test(path) ? ofNft : undefined;
      if (of === undefined) continue;
      it(`${name}, ${basename(path)}: no alarm, nothing is broken or arrives for sure, and no Service that is not shown is the same`, () => {
        for (const { what, text, same } of drawn([...of(readFileSync(path, 'utf8'))], 3)) {
          writeFileSync(file, text);
          const doctor = findingsOf(['doctor', file]);
          const news = doctor.ids.filter((id) => !healthy.expected.doctor.includes(id));
          assert.deepEqual(news, [], `${what}\n${doctor.text}`);
          const diff = findingsOf(['diff', ...manifestsOf(healthy), file]);
          const said = diff.ids.filter((id) => !trueOfManifests.has(id) && !healthy.expected.diff.includes(id));
          assert.deepEqual(said, [], `${what}\n${diff.text}`);
          assert.equal(diff.changes, 0, `${what}\n${diff.text}`);
          assert.ok(same(diff.same), `${what}: ${diff.same} are the same`);
          if (!walked.test(path)) continue;
          const checked = runCli(['check-service', 'shop/front', ...manifestsOf(healthy), file]);
          assert.doesNotMatch(checked.stdout, /is broken/, what);
          const why = runCli(['why', '--from', packet.from, '--to', packet.to, file]);
          // Of IPv6 alone nothing is known of an IPv4 packet.
          assert.ok(
            why.status === 3 || (why.status === 2 && /IPv4|ipv4/.test(why.stderr)),
            `${what}\n${why.stdout}${why.stderr}`,
          );
        }
      });
    }
  }
});

it('reach says what is not shown, and leaves open whether there is an address', () => {
  const healthy = readHealthyCase('kind-nftables');
  const listing = readFileSync(join(healthy.folder, 'node/dumps/nft.txt'), 'utf8');
  const pieces = new Map([...ofNft(listing)].map(({ what, text }) => [what, text]));
  writeFileSync(file, pieces.get('nft list chain ip kube-proxy nat-prerouting') ?? '');
  for (const find of [[], ['--find', 'dropped']]) {
    const { status, stdout, stderr } = runCli(['reach', ...find, file]);
    assert.equal(status, 3, stdout + stderr);
    assert.match(
      stderr,
      /does not show everything: table ip kube-proxy is cut: it has 1 base chain and 0 sets and maps/,
    );
  }
  const whole = runCli(['reach', join(healthy.folder, 'node/dumps')]);
  assert.equal(whole.status, 0);
  assert.doesNotMatch(whole.stderr, /everything/);
});
