import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { root } from '../support/compileCase.ts';

/** What is told by a name, how it would be told once more, and where it stands. */
const names: readonly (readonly [what: string, pattern: RegExp, home: string])[] = [
  [
    'chains of one Service',
    /'KUBE-(?:SVC|SVL|SEP|EXT|XLB|FW)-'|KUBE-\((?:\?:)?[^)]*\b(?:SVC|SVL|SEP|EXT|XLB)\b|\^\(?(?:\?:)?KUBE-(?:SVC|SVL|SEP|EXT|XLB|FW)/,
    'src/netfilter/proxyChains.ts',
  ],
  [
    'chains and sets of policies',
    /[`']KUBE-(?:POD-FW-|NWPLCY-|SRC-|DST-|ROUTER-[A-Z$])|KUBE-\((?:\?:|\()?[^)]*(?:NWPLCY|SRC)|'kube-router-local-pods'/,
    'src/netfilter/policyParts.ts',
  ],
  ['programs of Kubernetes', /startsWith\(\s*'KUBE-'\)|\/\^KUBE-(?:\/|\|)/, 'src/netfilter/proxyChains.ts'],
  ['sets of IPVS mode', /KUBE-\((?:\?:)?6-\)\?|'KUBE-6-'/, 'src/netfilter/ipset/proxySets.ts'],
  ['the interface of IPVS mode', /'kube-ipvs0'|=kube-ipvs0/, 'src/netfilter/ipvs/ipvsDevice.ts'],
];

/** Those who know other programs list their names. */
const others = ['src/node/programs/foreignPrograms.ts'];

describe('what names mean', () => {
  const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .map((name) => `src/${name}`)
    .filter((name) => name.endsWith('.ts') && !others.some((other) => name.startsWith(other)));
  for (const [what, pattern, home] of names) {
    it(`is told of ${what} in one file`, () => {
      const found = files.filter((name) =>
        codeOf(readFileSync(join(root, name), 'utf8')).some((line) => pattern.test(line)),
      );
      assert.deepEqual(found, [home]);
    });
  }
});

function codeOf(text: string): readonly string[] {
  return text.split('\n').filter((line) => !/^\s*(?:\/\/|\/?\*)/.test(line));
}
