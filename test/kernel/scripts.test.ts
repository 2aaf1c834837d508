import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Namespace, openNamespace } from '../../src/lab/openNamespace.ts';
import { runIn, tryIn } from '../../src/lab/runIn.ts';
import { iptablesCleanupScript } from '../../src/script/iptables/iptablesCleanup.ts';
import { compileCase, compileFiles, root } from '../support/compileCase.ts';
import { recorded } from '../support/golden.ts';
import { tablesOf } from '../support/tablesOf.ts';
import { kernelTests } from './requirements.ts';

const kernelTest = kernelTests(['iptables-nft', 'iptables-legacy']);

/** Runs a script in which `iptables` is one backend, as on a host that has chosen it. */
async function withBackend(
  backend: 'nft' | 'legacy',
  use: (run: (script: string) => ReturnType<typeof tryIn>, namespace: Namespace) => Promise<void>,
): Promise<void> {
  const tools = mkdtempSync(join(tmpdir(), 'k8snet-tools-'));
  const namespace = await openNamespace('host');
  try {
    for (const family of ['iptables', 'ip6tables']) {
      for (const end of ['', '-save', '-restore']) {
        symlinkSync(`/usr/sbin/${family}-${backend}${end}`, join(tools, `${family}${end}`));
      }
    }
    const run = (script: string) => tryIn(namespace, ['env', `PATH=${tools}:${process.env.PATH}`, 'sh', '-s'], script);
    await use(run, namespace);
  } finally {
    await namespace.close();
    rmSync(tools, { recursive: true });
  }
}

async function scriptOf(name: string): Promise<string> {
  return (await compileCase(`services/${name}`, '--mode', 'iptables')).text('apply.sh');
}

for (const backend of ['nft', 'legacy'] as const) {
  const saved = async (namespace: Namespace, tool = 'iptables') =>
    tablesOf(await runIn(namespace, [`${tool}-${backend}-save`]));

  kernelTest(`the script brings a node from state to state and can be repeated (${backend})`, async () => {
    await withBackend(backend, async (run, namespace) => {
      for (const name of ['realistic-boutique', 'lb-source-ranges', 'affinity-clientip']) {
        const script = await scriptOf(name);
        for (let time = 0; time < 2; time++) {
          const { status, stderr } = await run(script);
          assert.equal(status, 0, stderr);
          const wanted = tablesOf(recorded(`services/${name}/iptables/iptables.v4.save`) as string);
          const found = await saved(namespace);
          for (const [table, lines] of wanted) assert.deepEqual(found.get(table), lines, `${name} ${table}`);
        }
      }
    });
  });

  kernelTest(`a script that is refused half way leaves the former rules (${backend})`, async () => {
    await withBackend(backend, async (run, namespace) => {
      assert.equal((await run(await scriptOf('affinity-clientip'))).status, 0);
      const before = await saved(namespace);
      // The kernel refuses REDIRECT in the filter table, which the tool's own test does not see.
      const refused = (await scriptOf('lb-source-ranges')).replace(
        /^-A KUBE-FORWARD .*INVALID.*$/m,
        '-A KUBE-FORWARD -j REDIRECT',
      );
      const late = await run(refused);
      assert.equal(late.status, 1);
      assert.match(late.stderr, /the former rules of iptables are back/);
      assert.deepEqual(withoutEmptyServiceChains(await saved(namespace)), withoutEmptyServiceChains(before));
      // What the tool's test does see changes nothing at all.
      const early = await run(
        (await scriptOf('lb-source-ranges')).replace(/-j MASQUERADE --random-fully/g, '-j MASQUERADE --nope'),
      );
      assert.equal(early.status, 1);
      assert.match(early.stderr, /nothing was changed/);
    });
  });

  kernelTest(`clean-up removes the rules of kube-proxy and nothing else (${backend})`, async () => {
    await withBackend(backend, async (run, namespace) => {
      for (const line of foreignRules) await runIn(namespace, [`${line[0]}-${backend}`, ...line.slice(1)]);
      const before = { v4: await saved(namespace), v6: await saved(namespace, 'ip6tables') };
      assert.equal((await run(await scriptOf('dualstack-lb-mixed'))).status, 0);
      assert.notDeepEqual(await saved(namespace), before.v4);
      for (let time = 0; time < 2; time++) {
        const { status, stderr } = await run(iptablesCleanupScript());
        assert.equal(status, 0, stderr);
        const filterAndNat = (tables: ReadonlyMap<string, readonly string[]>) =>
          ['*filter', '*nat'].map((table) =>
            (tables.get(table) ?? []).filter((line) => !/^:[A-Z]+ ACCEPT|^COMMIT/.test(line)),
          );
        assert.deepEqual(filterAndNat(await saved(namespace)), filterAndNat(before.v4));
        assert.deepEqual(filterAndNat(await saved(namespace, 'ip6tables')), filterAndNat(before.v6));
      }
    });
  });
}

/** Rules of other programs, among them some whose names begin like kube-proxy's. */
const foreignRules: readonly (readonly string[])[] = [
  ['iptables', '-t', 'filter', '-A', 'INPUT', '-p', 'tcp', '--dport', '22', '-j', 'ACCEPT'],
  ['iptables', '-t', 'nat', '-N', 'KUBE-HOSTPORTS'],
  [
    'iptables',
    '-t',
    'nat',
    '-A',
    'PREROUTING',
    '-m',
    'comment',
    '--comment',
    'kube hostport portals',
    '-j',
    'KUBE-HOSTPORTS',
  ],
  ['iptables', '-t', 'filter', '-N', 'KUBE-ROUTER-FORWARD'],
  ['iptables', '-t', 'filter', '-A', 'KUBE-ROUTER-FORWARD', '-j', 'RETURN'],
  ['iptables', '-t', 'filter', '-N', 'KUBE-NWPLCY-ABCDEFGHIJKLMNOP'],
  ['ip6tables', '-t', 'nat', '-N', 'CNI-HOSTPORT-DNAT'],
];

/** Chains that were declared for a moment and hold nothing are no difference to traffic. */
function withoutEmptyServiceChains(tables: ReadonlyMap<string, readonly string[]>): readonly (readonly string[])[] {
  return [...tables.values()].map((lines) =>
    lines.filter(
      (line) =>
        !/^:KUBE-(SVC|SVL|EXT|FW|SEP)-/.test(line) ||
        lines.some((other) => other.startsWith(`-A ${line.slice(1, line.indexOf(' '))} `)),
    ),
  );
}

kernelTest('names that hold shell, quotes and newlines stay inert in every form', async () => {
  const bad = join(root, 'fixtures/bad');
  let compiled = 0;
  for (const name of readdirSync(bad).filter((one) => one.startsWith('inject-'))) {
    const folder = join(bad, name);
    const config = existsSync(join(folder, 'config.yaml')) ? ['--config', join(folder, 'config.yaml')] : [];
    const args = readFileSync(join(folder, 'args'), 'utf8').trim().split(/\s+/);
    const result = await compileFiles([join(folder, 'manifests.yaml')], [...args, ...config]);
    const refused = result.diagnostics.some(({ severity }) => severity === 'error');
    assert.equal(refused, result.compiled === undefined);
    if (refused) {
      assert.equal(result.artefacts.size, 0, name);
      continue;
    }
    compiled++;
    await withBackend('nft', async (run, namespace) => {
      const { status, stderr } = await run(result.text('apply.sh'));
      assert.equal(status, 0, stderr);
      const found = tablesOf(await runIn(namespace, ['iptables-nft-save']));
      for (const [table, lines] of tablesOf(result.text('iptables.v4.save'))) assert.deepEqual(found.get(table), lines);
    });
    for (const artefact of result.artefacts.values()) {
      assert.doesNotMatch([...artefact.text()].join(''), /reboot|rm -rf \/ /, artefact.name);
    }
  }
  assert.ok(compiled > 0, 'one of them is harmless and compiles');
});
