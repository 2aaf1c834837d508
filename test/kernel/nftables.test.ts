import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, test } from 'node:test';
import { applyTransaction } from '../../src/netfilter/nft/applyTransaction.ts';
import { parseJson } from '../../src/netfilter/nft/parseJson.ts';
import { parseListing } from '../../src/netfilter/nft/parseListing.ts';
import { parseTransaction } from '../../src/netfilter/nft/parseTransaction.ts';
import { writeListing } from '../../src/netfilter/nft/writeListing.ts';
import { nftablesCleanupScript, nftablesScript } from '../../src/script/nftablesScript.ts';
import { assertSameText } from '../netfilter/nft/assertSameText.ts';

const skip = reasonToSkip();
const folder = mkdtempSync(join(tmpdir(), 'k8snet-nft-'));
after(() => rmSync(folder, { recursive: true }));

const cases = readdirSync('golden/recorded/services').filter((name) =>
  existsSync(`golden/recorded/services/${name}/nftables`),
);
/** kube-proxy 1.30 writes `iif veth*` here, which nft refuses. */
const refusedCases = new Set(['config-interface-prefix']);

/** Runs a shell script in a network namespace of its own, which ends with it. */
function inNamespace(script: string): string {
  const bridge = 'ip link add cbr0 type bridge\n';
  return execFileSync('unshare', ['-n', 'sh', '-eu', '-c', bridge + script], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

test('recorded transactions load twice in a row, and nft lists what was recorded', { skip }, async (t) => {
  const loads = cases
    .filter((name) => !refusedCases.has(name))
    .flatMap((name) =>
      ['v4', 'v6'].map((version) => ({
        name,
        version,
        path: `golden/recorded/services/${name}/nftables/nft.${version}`,
      })),
    )
    .filter(({ path }) => existsSync(`${path}.restore`));
  // One namespace for all: a process a case would take most of the time.
  const script = loads.map(({ name, version, path }) => {
    const load = `nft -f ${resolve(path)}.restore\n`;
    const table = version === 'v4' ? 'ip kube-proxy' : 'ip6 kube-proxy';
    const list = `nft list table ${table} >${folder}/${name}.${version}`;
    return `${load}${list}.once\n${load}${list}.twice\nnft delete table ${table}\n`;
  });
  inNamespace(script.join(''));
  for (const { name, version, path } of loads) {
    await t.test(`${name} ${version}`, () => {
      const listed = (times: string) => readFileSync(join(folder, `${name}.${version}.${times}`), 'utf8');
      assertSameText(listed('once'), readFileSync(`${path}.save`, 'utf8'));
      // The second time base chains are deleted and made again, so they stand behind the others.
      const { commands } = parseTransaction(readFileSync(`${path}.restore`, 'utf8'));
      assertSameText(listed('twice'), [...writeListing(applyTransaction([...commands, ...commands]))].join(''));
    });
  }
});

test('an interface prefix is refused as recorded', { skip }, () => {
  const transaction = resolve('golden/recorded/services/config-interface-prefix/nftables/nft.v4.restore');
  assert.throws(() => inNamespace(`nft -f ${transaction}`), /Interface does not exist/);
});

test('the JSON and the text of a loaded table are read as one', { skip }, () => {
  const transaction = resolve('golden/recorded/services/mixed-random-dual/nftables/nft.v4.restore');
  inNamespace(`nft -f ${transaction}\nnft -a list ruleset >${folder}/text\nnft -j list ruleset >${folder}/json`);
  const fromText = parseListing(readFileSync(join(folder, 'text'), 'utf8'));
  const fromJson = parseJson(readFileSync(join(folder, 'json'), 'utf8'));
  assert.deepEqual([...fromText.problems, ...fromJson.problems], []);
  assert.deepEqual(withoutJsonLosses(fromJson), withoutJsonLosses(fromText));
});

/** nft 1.0.6 leaves comments of tables, maps and chains and the flag `dynamic` out of its JSON. */
function withoutJsonLosses({ ruleset }: ReturnType<typeof parseListing>): unknown {
  return ruleset.tables.map(({ comment, ...table }) => ({
    ...table,
    sets: table.sets.map(({ flags, comment, ...set }) => set),
    chains: table.chains.map(({ comment, ...chain }) => chain),
  }));
}

function applyScript(name: string, sysctls: readonly (readonly [string, string])[] = []): string {
  const transactions = ['v4', 'v6'].map(
    (version) =>
      parseTransaction(readFileSync(`golden/recorded/services/${name}/nftables/nft.${version}.restore`, 'utf8'))
        .commands,
  );
  const path = join(folder, `apply-${name}.sh`);
  writeFileSync(path, [...nftablesScript({ transactions, sysctls })].join(''));
  return path;
}

const listTables = 'nft list table ip kube-proxy\nnft list table ip6 kube-proxy\n';

function recorded(name: string): string {
  return ['v4', 'v6']
    .map((version) => readFileSync(`golden/recorded/services/${name}/nftables/nft.${version}.save`, 'utf8'))
    .join('');
}

test('the apply script replaces whatever the tables held, again and again', { skip }, () => {
  const before = applyScript('affinity-clientip');
  const script = applyScript('dualstack-lb-mixed');
  assertSameText(
    inNamespace(`sh ${before}\nsh ${script}\nsh ${script}\n${listTables}`),
    recorded('dualstack-lb-mixed'),
  );
});

test('the apply script leaves the old rules where nft refuses the new ones', { skip }, () => {
  const before = applyScript('affinity-clientip');
  const refused = applyScript('config-interface-prefix');
  const output = inNamespace(`sh ${before}\nsh ${refused} 2>${folder}/errors && exit 9\n${listTables}`);
  assertSameText(output, recorded('affinity-clientip'));
  assert.match(readFileSync(join(folder, 'errors'), 'utf8'), /k8snet: nft refused the rules/);
});

test('the apply script writes sysctls, and says which it cannot write', { skip }, () => {
  const good = applyScript('clusterip-single', [['net.ipv4.ip_forward', '1']]);
  assert.equal(inNamespace(`sh ${good}\ncat /proc/sys/net/ipv4/ip_forward`), '1\n');
  const bad = applyScript('lb-basic', [['net.ipv4.no_such_thing', '1']]);
  inNamespace(`sh ${bad} 2>${folder}/errors\n${listTables}`);
  assert.match(
    readFileSync(join(folder, 'errors'), 'utf8'),
    /^k8snet: this kernel has no net\.ipv4\.no_such_thing; passed over$/m,
  );
});

test('the cleanup script removes our tables and no other', { skip }, () => {
  const path = join(folder, 'cleanup.sh');
  writeFileSync(path, nftablesCleanupScript());
  const other = 'nft add table inet mine\n';
  const output = inNamespace(`${other}sh ${applyScript('lb-basic')}\nsh ${path}\nsh ${path}\nnft list tables`);
  assert.equal(output, 'table inet mine\n');
});

function reasonToSkip(): string | false {
  const isUsable = process.getuid?.() === 0 && spawnSync('unshare', ['-n', 'nft', 'list', 'tables']).status === 0;
  assert.ok(isUsable || process.env.K8SNET_REQUIRE_KERNEL !== '1', 'nft in a network namespace is required');
  return isUsable ? false : 'needs root, unshare and nft';
}
