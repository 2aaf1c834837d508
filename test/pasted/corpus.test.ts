import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, it } from 'node:test';
import { readNodeDump } from '../../src/cli/dumps/readNodeDump.ts';
import { diagnoseDump } from '../../src/diff/diagnoseDump.ts';
import { importRules } from '../../src/import/importRules.ts';
import { isBalancingChain } from '../../src/netfilter/proxyChains.ts';
import { canonicalText } from '../../src/node/canonicalText.ts';
import type { NodeRules } from '../../src/node/nodeRules.ts';
import { ruleEntrances } from '../../src/trace/known/ruleEntrances.ts';
import { createNodeTracer } from '../../src/trace/nodeTracer.ts';
import { protocolName } from '../../src/trace/question/protocolName.ts';
import { endText } from '../../src/walk/values/text.ts';
import { whyCauses } from '../../src/why/whyCauses.ts';
import { root } from '../support/compileCase.ts';
import { messagesTo } from '../support/messagesTo.ts';

/** Whatever people paste is read by every command, and what it does not show is no fault. */

const folders = ['fixtures/fragments', 'fixtures/fragments/blocks', 'fixtures/pasted'];
const files = folders.flatMap((folder) =>
  readdirSync(join(root, folder))
    .filter((name) => /\.(?:txt|save)$/.test(name))
    .map((name) => join(root, folder, name)),
);

/** Services without endpoints, and what the rules do to packets on purpose. */
const healthyFailures: Readonly<Record<string, readonly string[]>> = {
  'kube-proxy-v9-log.txt': ['10.101.3.4:80 no-endpoints'],
};

/** Which Services why calls broken, asked from outside for the first of each kind. */
function failures(dump: NodeRules): readonly string[] {
  const tracer = createNodeTracer(dump);
  return (['ipv4', 'ipv6'] as const).flatMap((family) => {
    const { input } = tracer.tracerOf(family);
    const entrances = ruleEntrances(input).filter(
      ({ chain, address, port }) => isBalancingChain(chain) && address !== undefined && port !== undefined,
    );
    return entrances.slice(0, 4).flatMap(({ address, port, protocol }) => {
      const to = endText(address, port);
      const result = tracer.trace({ from: 'node', to, proto: protocolName(protocol ?? 6) });
      // The dump's own routes lead nowhere.
      if ('kind' in result) return [];
      const why = whyCauses(result, input);
      return why.verdict === 'fails' ? [`${to} ${why.causes[0]?.code}`] : [];
    });
  });
}

/** Tables of another back end that it does not show. */
const aboutTheDump = /^K8N103 /;

describe('every dump that somebody pasted', () => {
  let read = 0;
  for (const file of files) {
    it(file.slice(root.length + 1), async () => {
      const dump = await readNodeDump(
        [file],
        { family: undefined, isCompared: false },
        messagesTo(() => {}),
      );
      if (dump === undefined) return;
      read += 1;
      const report = diagnoseDump(dump);
      const loud = report.findings
        .filter(({ severity }) => severity !== 'info')
        .map(({ code, what }) => `${code} ${what}`);
      // What is wrong with those in fixtures/pasted their own table says.
      if (!file.includes('/pasted/'))
        assert.deepEqual(
          loud.filter((text) => !aboutTheDump.test(text)),
          [],
        );
      for (const part of canonicalText(dump)) assert.doesNotMatch(part, /undefined|NaN|\[object/);
      importRules(dump, {}, () => {});
      if (loud.length === 0) assert.deepEqual(failures(dump), healthyFailures[basename(file)] ?? []);
    });
  }

  it('are many, and most are dumps', () => {
    assert.ok(files.length > 200, `${files.length}`);
    assert.ok(read > 180, `${read} of ${files.length}`);
  });
});
