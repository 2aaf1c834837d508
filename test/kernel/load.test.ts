import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openNamespace } from '../../src/lab/openNamespace.ts';
import { tryIn } from '../../src/lab/runIn.ts';
import { compileCase, root } from '../support/compileCase.ts';
import { type Backend, iptablesTool, jumpSkeleton, type ShortFamily, tablesOfSave } from './loadRules.ts';
import { kernelTests } from './requirements.ts';

/** What is loaded, how it is named in failures, and where its texts lie. */
interface Case {
  readonly name: string;
  readonly family: ShortFamily;
  readonly restore: string;
  readonly save: string;
}

/**
 * Every scenario as the kernel takes it: both families, both forms, both backends. What the tools then print is our
 * `save`, table by table. Loads run in one shell a backend and family: starting processes is most of the time.
 */
for (const backend of ['nft', 'legacy'] as const) {
  kernelTests([`iptables-${backend}`])(
    `iptables-${backend} loads every scenario and prints our save back`,
    async () => {
      const cases = await compiledCases();
      assert.ok(cases.length >= 120, `only ${cases.length} texts`);
      const folder = mkdtempSync(join(tmpdir(), 'k8snet-load-'));
      try {
        await Promise.all((['v4', 'v6'] as const).map((family) => loadAll(folder, cases, family, backend)));
        const wrong = cases.flatMap((one) => problemsOf(folder, one));
        assert.deepEqual(wrong, []);
      } finally {
        rmSync(folder, { recursive: true });
      }
    },
  );
}

kernelTests(['iptables-nft'])('a rule that is missing, and one that is refused, are found', async () => {
  const [good] = (await compiledCases(['lb-basic'])).filter(({ family }) => family === 'v4');
  assert.ok(good !== undefined);
  const lastRule = /\n-A KUBE-SEP-[^\n]* -j DNAT [^\n]*/;
  const cases = [
    { ...good, name: 'missing', restore: good.restore.replace(lastRule, '') },
    { ...good, name: 'refused', restore: good.restore.replace(/-j MARK --or-mark .*/, '-j NO-SUCH-CHAIN') },
  ];
  const folder = mkdtempSync(join(tmpdir(), 'k8snet-load-'));
  try {
    await loadAll(folder, cases, 'v4', 'nft');
    const problems = cases.map((one) => problemsOf(folder, one).join('\n'));
    assert.match(problems[0] ?? '', /^missing v4 restore: table nat/);
    assert.match(problems[1] ?? '', /^refused v4 restore: .*NO-SUCH-CHAIN/s);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

async function compiledCases(names = readdirSync(join(root, 'fixtures/services'))): Promise<readonly Case[]> {
  const compiled = names.map(async (name) => {
    const { text } = await compileCase(`services/${name}`, '--kube-version', '1.30', '--mode', 'iptables');
    return (['v4', 'v6'] as const).flatMap((family) => {
      const save = text(`iptables.${family}.save`);
      return save === '' ? [] : [{ name, family, save, restore: text(`iptables.${family}.restore`) }];
    });
  });
  return (await Promise.all(compiled)).flat();
}

const forms = ['restore', 'save'] as const;

/** Leaves `NAME.FAMILY.FORM.read`, or `….failed` with what the tool said, of every case of the family. */
async function loadAll(folder: string, cases: readonly Case[], family: ShortFamily, backend: Backend): Promise<void> {
  const restore = `${iptablesTool(family, backend, '-restore')} -w`;
  const dump = iptablesTool(family, backend, '-save');
  const script = cases
    .filter((one) => one.family === family)
    .map((one) => {
      const at = join(folder, `${one.name}.${family}`);
      writeFileSync(`${at}.skeleton`, jumpSkeleton(one.save));
      writeFileSync(`${at}.restore`, one.restore);
      writeFileSync(`${at}.save`, one.save);
      // A whole dump replaces what the case before has left.
      const first = `${restore} <${at}.skeleton && ${restore} --noflush --counters <${at}.restore`;
      const load = { restore: first, save: `${restore} <${at}.save` };
      return forms
        .map((form) => `{ ${load[form]} && ${dump}; } >${at}.${form}.read 2>${at}.${form}.failed || :\n`)
        .join('');
    });
  const namespace = await openNamespace(`${backend} ${family}`);
  try {
    const { status, stderr } = await tryIn(namespace, ['sh', '-eu'], script.join(''));
    assert.equal(status, 0, stderr);
  } finally {
    await namespace.close();
  }
}

function problemsOf(folder: string, { name, family, save }: Case): readonly string[] {
  return forms.flatMap((form) => {
    const at = join(folder, `${name}.${family}.${form}`);
    const failed = readFileSync(`${at}.failed`, 'utf8');
    if (failed !== '') return [`${name} ${family} ${form}: ${failed}`];
    const expected = tablesOfSave(save);
    const actual = tablesOfSave(readFileSync(`${at}.read`, 'utf8'));
    const tables = [...new Set([...Object.keys(expected), ...Object.keys(actual)])];
    return tables.flatMap((table) => {
      const lines = new Set(expected[table] ?? []);
      const read = new Set(actual[table] ?? []);
      if ((expected[table] ?? []).join('\n') === (actual[table] ?? []).join('\n')) return [];
      const missing = [...lines].filter((line) => !read.has(line)).map((line) => `- ${line}`);
      const extra = [...read].filter((line) => !lines.has(line)).map((line) => `+ ${line}`);
      return [[`${name} ${family} ${form}: table ${table}`, ...missing, ...extra].slice(0, 12).join('\n')];
    });
  });
}
