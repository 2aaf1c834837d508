import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, test } from 'node:test';
import { applyTransaction } from '../../src/netfilter/nft/applyTransaction.ts';
import { parseJson } from '../../src/netfilter/nft/read/parseJson.ts';
import { parseListing } from '../../src/netfilter/nft/read/parseListing.ts';
import { parseTransaction } from '../../src/netfilter/nft/read/parseTransaction.ts';
import { writeListing } from '../../src/netfilter/nft/write/writeListing.ts';
import { nftablesCleanupScript, nftablesScript } from '../../src/script/nftablesScript.ts';
import { assertSameText } from '../netfilter/nft/assertSameText.ts';
import { compileCase } from '../support/compileCase.ts';
import { recordedNft } from '../support/recordedNft.ts';
import { sortedListing } from '../support/sortedListing.ts';

const skip = reasonToSkip();
const folder = mkdtempSync(join(tmpdir(), 'k8snet-nft-'));
after(() => rmSync(folder, { recursive: true }));

/** Runs a shell script in a network namespace of its own, which ends with it. */
function inNamespace(script: string): string {
  return inBareNamespace(bridge + script);
}

const bridge = 'ip link add cbr0 type bridge\n';

/** The same beside others. */
async function inOwnNamespace(script: string): Promise<void> {
  const child = spawn('unshare', ['-n', 'sh', '-eu', '-s'], { stdio: ['pipe', 'ignore', 'inherit'] });
  child.stdin.end(bridge + script);
  const [status] = await once(child, 'exit');
  assert.equal(status, 0);
}

function inBareNamespace(script: string): string {
  return execFileSync('unshare', ['-n', 'sh', '-eu', '-s'], {
    input: script,
    encoding: 'utf8',
    stdio: ['pipe', 'pipe', 'pipe'],
  });
}

test('recorded transactions load twice in a row, and nft lists what was recorded', { skip }, async (t) => {
  const loads = recordedNft().flatMap(({ save, ...recording }) => (save === undefined ? [] : [{ ...recording, save }]));
  // A few namespaces at a time: nearly all of it is waiting for the kernel.
  const scripts = loads.map(({ family, restore }, index) => {
    const table = family === 'v4' ? 'ip kube-proxy' : 'ip6 kube-proxy';
    const loadAndList = (times: string) => {
      const to = `${folder}/${index}.${times}`;
      return `if nft -f ${restore} 2>${to}.errors; then nft list table ${table} >${to}; fi\n`;
    };
    return `${loadAndList('once')}${loadAndList('twice')}nft delete table ${table}\n`;
  });
  const parts = [0, 1, 2, 3, 4, 5].map((part) => scripts.filter((_, index) => index % 6 === part).join(''));
  await Promise.all(parts.map(inOwnNamespace));
  for (const [index, { name, version, family, restore, save }] of loads.entries()) {
    await t.test(`${name} ${version} ${family}`, () => {
      const at = (times: string) => join(folder, `${index}.${times}`);
      assertSameText(readFileSync(at('once'), 'utf8'), readFileSync(save, 'utf8'));
      // The second time base chains are deleted and made again, so they stand behind the others.
      const { commands } = parseTransaction(readFileSync(restore, 'utf8'));
      const refused: string[] = [];
      const twice = applyTransaction([...commands, ...commands], (_, message) => refused.push(message));
      if (refused.length === 0) {
        assertSameText(readFileSync(at('twice'), 'utf8'), [...writeListing(twice)].join(''));
      } else {
        // From 1.33 on a transaction does not empty the maps first: a new process reads them instead.
        assert.match(readFileSync(`${at('twice')}.errors`, 'utf8'), new RegExp(refused[0] ?? ''));
      }
    });
  }
});

test('recorded transactions that nft refused are refused in the same words', { skip }, async (t) => {
  const refused = recordedNft().flatMap(({ errors, ...rest }) => (errors === undefined ? [] : [{ ...rest, errors }]));
  const script = refused.map(({ restore }, index) => `! nft -f ${restore} 2>${folder}/${index}.refused\n`);
  // Without the bridge: where the recordings were made there was none either.
  inBareNamespace(script.join(''));
  for (const [index, { name, version, errors }] of refused.entries()) {
    await t.test(`${name} ${version}`, () => {
      const said = readFileSync(join(folder, `${index}.refused`), 'utf8');
      // The recording holds the first lines only.
      const recorded = withoutPlace(readFileSync(errors, 'utf8'));
      assertSameText(withoutPlace(said).slice(0, recorded.length), recorded);
    });
  }
});

/** Where in which file the line stands that was refused. */
function withoutPlace(errors: string): string {
  return errors.replaceAll(/^(?:\/[^:]*:)?(?:\d+:)?\d+-\d+: /gm, '');
}

test('the JSON and the text of a loaded table are read as one', { skip }, () => {
  const transaction = resolve('golden/recorded/services/mixed-random-dual/nftables/nft.v4.restore');
  inNamespace(`nft -f ${transaction}\nnft -a list ruleset >${folder}/text\nnft -j list ruleset >${folder}/json`);
  const fromText = parseListing(readFileSync(join(folder, 'text'), 'utf8'));
  const fromJson = parseJson(readFileSync(join(folder, 'json'), 'utf8'));
  assert.deepEqual([...fromText.problems, ...fromJson.problems], []);
  assert.deepEqual(withoutJsonLosses(fromJson), withoutJsonLosses(fromText));
});

/** nft 1.0.6 leaves comments of tables, maps and chains and the flag `dynamic` out of its JSON. */
function withoutJsonLosses({ ruleset }: ReturnType<typeof parseJson>): unknown {
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
    sortedListing(inNamespace(`sh ${before}\nsh ${script}\nsh ${script}\n${listTables}`)),
    sortedListing(recorded('dualstack-lb-mixed')),
  );
});

test('the apply script replaces the table of one version by that of any other, and the cleanup removes each', {
  skip,
}, async () => {
  const versions = [...new Set(recordedNft().map(({ version }) => version))];
  const cleanup = join(folder, 'cleanup-versions.sh');
  writeFileSync(cleanup, nftablesCleanupScript());
  const order = [...versions, ...[...versions].reverse()];
  const scripts = await Promise.all(
    versions.map(async (version): Promise<readonly [string, string]> => {
      const { text } = await compileCase(
        'services/dualstack-lb-mixed',
        '--mode',
        'nftables',
        '--kube-version',
        version,
      );
      const path = join(folder, `apply-${version}.sh`);
      writeFileSync(path, text('apply.sh'));
      return [version, path];
    }),
  );
  const pathOf = new Map(scripts);
  const run = order.map(
    (version, at) => `sh ${pathOf.get(version)}\n{ ${listTables.trim().replace('\n', '; ')}; } >${folder}/step.${at}\n`,
  );
  const left = inNamespace(`${run.join('')}sh ${cleanup}\nsh ${pathOf.get('1.29')}\nsh ${cleanup}\nnft list ruleset`);
  assert.equal(left, '');
  for (const [at, version] of order.entries()) {
    const saves = recordedNft().filter((one) => one.name === 'dualstack-lb-mixed' && one.version === version);
    // Two of each version; those of 1.30 stand in two folders.
    const expected = saves
      .slice(0, 2)
      .map(({ save }) => readFileSync(save as string, 'utf8'))
      .join('');
    assertSameText(sortedListing(readFileSync(join(folder, `step.${at}`), 'utf8')), sortedListing(expected));
  }
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
