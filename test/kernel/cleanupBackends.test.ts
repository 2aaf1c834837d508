import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openNamespace } from '../../src/lab/openNamespace.ts';
import { runIn, tryIn } from '../../src/lab/runIn.ts';
import { iptablesCleanupScript } from '../../src/script/iptables/iptablesCleanup.ts';
import { policyCleanupScript } from '../../src/script/policy/policyCleanup.ts';
import { scriptsWith } from '../policy/applyScripts.ts';
import { compileCase } from '../support/compileCase.ts';
import { kernelTests } from './requirements.ts';

/** Rules that one back end of iptables holds, and a clean-up that finds the other one under the name `iptables`. */
const test = kernelTests(['iptables-nft', 'iptables-legacy', 'ipset']);

type Backend = 'nft' | 'legacy';
type Run = (script: string) => Promise<{ readonly status: number; readonly stderr: string }>;

/** `run` has these back ends: the first is called `iptables`, all have their own names. */
async function withNode(use: (run: (...backends: Backend[]) => Run, rules: () => Promise<string>) => Promise<void>) {
  const folder = mkdtempSync(join(tmpdir(), 'k8snet-backends-'));
  const namespace = await openNamespace('node');
  const run = (...backends: Backend[]): Run => {
    const path = join(folder, backends.join('-'));
    if (!existsSync(path)) writeTools(path, backends);
    return async (script) => {
      const { status, stderr } = await tryIn(namespace, ['env', `PATH=${path}`, '/bin/sh', '-s'], withPath(script));
      return { status: status ?? 1, stderr };
    };
  };
  const shown = 'for t in iptables ip6tables; do $t-nft-save; $t-legacy-save; done; ipset save';
  const rules = async () => {
    const all = await runIn(namespace, ['sh', '-c', `{ ${shown}; } 2>/dev/null`]);
    return all
      .split('\n')
      .filter((line) => line.includes('KUBE-'))
      .join('\n');
  };
  try {
    await use(run, rules);
  } finally {
    await namespace.close();
    rmSync(folder, { recursive: true });
  }
}

/** The scripts look into the folders of administrators too, where these tests have programs that the node shall lack. */
function withPath(script: string): string {
  return script.replace(/^PATH=\$PATH:.*$/m, ':');
}

function writeTools(folder: string, backends: readonly Backend[]): void {
  mkdirSync(folder);
  const [chosen] = backends;
  for (const family of ['iptables', 'ip6tables']) {
    for (const end of ['', '-save', '-restore']) {
      symlinkSync(`/usr/sbin/${family}-${chosen}${end}`, join(folder, `${family}${end}`));
      for (const each of backends) {
        symlinkSync(`/usr/sbin/${family}-${each}${end}`, join(folder, `${family}-${each}${end}`));
      }
    }
  }
  const used =
    'sh awk sed cat rm rmdir mkdir sleep date readlink ls env uname tr sort head grep mktemp flock ipset nft';
  for (const name of used.split(' ')) {
    const real = ['/usr/sbin', '/usr/bin', '/sbin', '/bin'].map((at) => join(at, name)).find((at) => existsSync(at));
    if (real !== undefined) symlinkSync(real, join(folder, name));
  }
}

async function load(run: Run): Promise<void> {
  const { text } = await compileCase('services/lb-basic', '--mode', 'iptables');
  const policies = { isPolicyOnly: true, policy: { backend: 'iptables', node: 'node-1' } } as const;
  const { policy } = await scriptsWith(policies, ['fixtures/policy-scripts/swap-A.yaml'], '--node', 'node-1');
  for (const script of [text('apply.sh'), policy]) {
    const { status, stderr } = await run(script);
    assert.equal(status, 0, stderr);
  }
}

for (const [holder, other] of [
  ['legacy', 'nft'],
  ['nft', 'legacy'],
] as const) {
  test(`clean-up where iptables is ${other} takes the rules of ${holder} too`, async () => {
    await withNode(async (run, rules) => {
      await load(run(holder));
      assert.match(await rules(), /KUBE-SERVICES[\s\S]*KUBE-SRC-/);
      for (const script of [iptablesCleanupScript(), policyCleanupScript()]) {
        const { status, stderr } = await run(other, holder)(script);
        assert.equal(status, 0, stderr);
        assert.match(stderr, /are gone(?:;|$)/m);
      }
      assert.equal(await rules(), '');
    });
  });

  test(`clean-up that cannot look into ${holder} says so, and does not say that all is gone`, async () => {
    await withNode(async (run, rules) => {
      await load(run(holder));
      const before = await rules();
      const { status, stderr } = await run(other)(iptablesCleanupScript());
      assert.equal(status, 1);
      assert.match(stderr, /not installed: (?:they were|it was) not touched/);
      assert.match(stderr, /gone from where this script could look, which is not everywhere/);
      assert.equal(await rules(), before);
    });
  });
}

test('clean-up of a node without rules makes no tables', async () => {
  await withNode(async (run) => {
    for (const script of [iptablesCleanupScript(), policyCleanupScript()]) {
      const { status, stderr } = await run('nft', 'legacy')(script);
      assert.equal(status, 0, stderr);
    }
    const { stderr } = await run('nft', 'legacy')('cat /proc/net/ip_tables_names /proc/net/ip6_tables_names >&2 || :');
    assert.doesNotMatch(stderr, /nat|filter|mangle/);
  });
});
