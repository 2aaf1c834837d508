import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { readCertificate } from '../../src/cli/objects/readCertificate.ts';
import { targetOptions } from '../../src/cli/options/targetOptions.ts';
import type { Diagnostic } from '../../src/diagnostics/diagnostic.ts';
import { renderText } from '../../src/diagnostics/renderText.ts';
import { plainDiagnosticStyle } from '../../src/diagnostics/style.ts';
import { load } from '../../src/load/files/load.ts';
import { createLocator } from '../../src/load/locate.ts';
import { lint } from '../../src/pipeline/lint.ts';
import { root } from '../support/compileCase.ts';
import { assertGolden } from '../support/golden.ts';
import { targetFlags } from '../support/targetFlags.ts';

const fixtures = join(root, 'fixtures/lint');
const codes = readdirSync(fixtures);

/** What lint says of a file; `args` are target options, and `--cni`. */
async function lintFile(file: string, args: readonly string[]): Promise<{ diagnostics: Diagnostic[]; text: string }> {
  const diagnostics: Diagnostic[] = [];
  const report = (diagnostic: Diagnostic) => diagnostics.push(diagnostic);
  const { objects, sources } = await load([file], { recursive: false }, report);
  const at = args.indexOf('--cni');
  const cni = at < 0 ? undefined : args[at + 1];
  const flags = targetFlags(at < 0 ? args : args.toSpliced(at, 2));
  const input = { objects, configObjects: [], target: targetOptions(flags), kubeVersion: flags.kubeVersion };
  lint(input, { cni, certificates: { read: readCertificate, now: Date.parse('2027-01-01') } }, report);
  const locator = await createLocator(
    sources,
    diagnostics.flatMap((diagnostic) => diagnostic.at),
  );
  return { diagnostics, text: renderText(diagnostics, locator, plainDiagnosticStyle).replaceAll(`${fixtures}/`, '') };
}

/** What is deprecated in the newest version, or gone, is what other folders use. */
function isTold({ code }: Diagnostic, folder: string): boolean {
  return (code !== 'deprecated-use' && code !== 'api-version-removed') || folder === code;
}

/** Each code has a folder: bad.yaml, of which it is said, and good*.yaml, as near to it as can be, of which none is. */
describe('lint', () => {
  for (const code of codes) {
    const argsFile = join(fixtures, code, 'args');
    const args = existsSync(argsFile) ? readFileSync(argsFile, 'utf8').trim().split(' ') : [];

    it(`${code}: said of what is bad`, async () => {
      const { diagnostics, text } = await lintFile(join(fixtures, code, 'bad.yaml'), args);
      assert.ok(
        diagnostics.some((diagnostic) => diagnostic.code === code),
        text,
      );
      assertGolden(`lint/${code}.txt`, text);
    });

    it(`${code}: not of what is good`, async () => {
      for (const name of ['good.yaml', 'good-2.yaml', 'good-3.yaml']) {
        const { diagnostics, text } = await lintFile(join(fixtures, code, name), args);
        const said = diagnostics.filter(
          (diagnostic) =>
            isTold(diagnostic, code) && (codes.includes(diagnostic.code) || diagnostic.severity === 'error'),
        );
        assert.deepEqual(said, [], text);
      }
    });
  }
});

/** Manifests that clusters are made of: nothing of the kind is said of them, except what was put in there. */
describe('lint is silent about sound manifests', () => {
  const selectors = ['policy-peer-matches-nothing', 'policy-port-unknown', 'policy-selects-nothing'];
  const planted = new Map<string, readonly string[]>([
    ['lb-source-ranges', ['cidr-host-bits']],
    ['skip-slices', ['endpoints-without-service']],
    ['atk-03-ipblock-except', ['cidr-host-bits', 'policy-blocks-dns']],
    // What is asked there is who reaches whom, by address.
    ['atk-04-host-terminating-finished', ['policy-blocks-dns']],
    ['atk-05-own-node-nodeport-range', ['policy-blocks-dns']],
    ['atk-20-services', ['policy-blocks-dns']],
    ['atk-22-internal-traffic-policy-local', ['policy-blocks-dns']],
    ['own-13-types-defaulting', ['policy-blocks-dns', 'policy-isolates-ingress', 'policy-rules-ignored']],
    ['own-14-two-nodes', ['policy-blocks-dns']],
    ['post-01-test-network-policy', ['policy-blocks-dns']],
    // Ports that one side lacks.
    ['own-11-named-port', ['policy-port-unknown']],
    // Policies made at random.
    ['atk-r001', selectors],
    ['atk-r004', ['policy-port-unknown', 'policy-rules-ignored', 'policy-selects-nothing']],
    ['atk-r007', ['policy-selects-nothing']],
    ['atk-r010', selectors],
    [
      'atk-r013',
      ['policy-isolates-ingress', 'policy-peer-matches-nothing', 'policy-rules-ignored', 'policy-selects-nothing'],
    ],
    ['atk-r016', ['policy-rules-ignored', 'policy-selects-nothing']],
  ]);
  for (const folder of ['services', 'networkpolicy']) {
    it(folder, async () => {
      let count = 0;
      for (const name of readdirSync(join(root, 'fixtures', folder))) {
        const file = join(root, 'fixtures', folder, name, 'manifests.yaml');
        if (!existsSync(file)) continue;
        const { diagnostics } = await lintFile(file, []);
        const told = diagnostics.filter((diagnostic) => codes.includes(diagnostic.code) && isTold(diagnostic, ''));
        const said = new Set(told.map(({ code }) => code));
        assert.deepEqual([...said].sort(), planted.get(name) ?? [], name);
        count += 1;
      }
      assert.ok(count > 25, `${count} cases`);
    });
  }
});
