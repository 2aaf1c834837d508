import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { Finding } from '../../src/findings/finding.ts';
import { compileCase, root } from '../support/compileCase.ts';
import { diffText } from './diffCase.ts';

const listing = readFileSync(join(root, 'golden/recorded/services/affinity-clientip/nftables/nft.v4.save'), 'utf8');

async function findingsOf(text: string): Promise<readonly Finding[]> {
  const { compiled } = await compileCase('services/affinity-clientip', '--family', 'ipv4', '--mode', 'nftables');
  assert.ok(compiled && text !== listing);
  return diffText(compiled, [text], 'ipv4').findings.filter(({ isAdvice }) => !isAdvice);
}

/** The only finding, and the line of the text that it points at. */
async function findingOf(text: string): Promise<{ readonly finding: Finding; readonly line: string | undefined }> {
  const [finding, ...more] = await findingsOf(text);
  assert.ok(finding);
  assert.deepEqual(more, []);
  return { finding, line: text.split('\n')[(finding.found[0]?.line ?? 0) - 1]?.trim() };
}

const set = /(set affinity-3P4YDLJY\S+ \{\n(?:.*\n)*?\t\ttimeout )\S+/;

describe('findings of nftables mode', () => {
  it('name the seconds of affinity on both sides', async () => {
    const { finding, line } = await findingOf(listing.replace(set, '$177s'));
    assert.equal(finding.code, 'K8N304');
    assert.match(finding.what, /^the set affinity-3P4YDLJY\S+ keeps clients for 77 s instead of \d+ s$/);
    assert.equal(finding.service, 'default/long:http');
    assert.equal(line, 'timeout 77s');
    assert.match(finding.rules?.map(({ expected }) => expected).join() ?? '', /timeout (?:\d+[dhms])+/);
  });

  it('say of a set without timeout that it never forgets', async () => {
    const { finding } = await findingOf(
      listing.replace(/(set affinity-3P4YDLJY\S+ \{\n(?:.*\n)*?)\t\ttimeout .*\n/, '$1'),
    );
    assert.match(finding.what, /keeps clients without end instead of \d+ s$/);
  });

  it('name the seconds for which clients are not remembered or looked for', async () => {
    const forgets = await findingOf(listing.replace(/\n\t\tupdate @affinity-3P4YDLJY.*/, ''));
    assert.match(forgets.finding.what, /does not remember its clients, which the Service keeps .* for \d+ s$/);
    const blind = await findingOf(listing.replace(/\n\t\tip saddr @affinity-3P4YDLJY\S+ goto \S+/, ''));
    assert.match(blind.finding.what, /lacks rules that keep clients on one endpoint for \d+ s$/);
  });

  it('name the seconds of a rule that has its own', async () => {
    const { finding, line } = await findingOf(
      listing.replace(/(update @affinity-3P4YDLJY.*ip saddr) \}/, '$1 timeout 1m17s }'),
    );
    assert.match(finding.what, /remembers its clients for 77 s instead of \d+ s$/);
    assert.match(line ?? '', /^update @affinity-3P4YDLJY/);
  });

  it('have the remedy for a mark that is not set at all', async () => {
    const findings = await findingsOf(listing.replace(/(chain mark-for-masquerade \{)\n.*/, '$1'));
    const mark = findings.find(({ code }) => code === 'K8N409');
    assert.equal(mark?.what, 'mark-for-masquerade sets no mark');
    assert.match(mark?.fix ?? '', /^Restart kube-proxy/);
  });

  it('are none where somebody counts packets', async () => {
    const counted = listing.replace(/^(\t\t)(ip [sd]addr|jump|meta|update) /gm, '$1counter packets 5 bytes 300 $2 ');
    assert.deepEqual(await findingsOf(counted), []);
    const both = await findingOf(counted.replace('dnat to 10.244.1.30:8080', 'dnat to 10.244.9.9:8080'));
    assert.equal(both.finding.code, 'K8N203');
  });

  it('point at the line of the rule', async () => {
    const { finding, line } = await findingOf(listing.replace('dnat to 10.244.1.30:8080', 'dnat to 10.244.9.9:8080'));
    assert.equal(finding.code, 'K8N203');
    assert.equal(line, 'meta l4proto tcp dnat to 10.244.9.9:8080');
  });

  it('point at the line of the element', async () => {
    const text = listing.replace(/10\.96\.140\.2 \. tcp \. 80 : /, '10.96.140.9 . tcp . 81 : ');
    const findings = await findingsOf(text);
    const stale = findings.find(({ code }) => code === 'K8N202');
    assert.match(text.split('\n')[(stale?.found[0]?.line ?? 0) - 1] ?? '', /^\s+10\.96\.140\.9 \. tcp \. 81 : goto /);
  });

  it('point at the line of an element among several, whatever its comment says', async () => {
    const text = listing
      .replace('10.96.140.1, 10.96.140.2,\n', '10.96.140.1 comment "a, b", 10.96.140.2,\n')
      .replace(/10\.96\.140\.3 \}/, '10.96.140.9 }');
    const held = (await findingsOf(text)).find(({ what }) => what === 'set cluster-ips holds 10.96.140.9');
    assert.match(text.split('\n')[(held?.found[0]?.line ?? 0) - 1] ?? '', /10\.96\.140\.9 \}$/);
  });

  it('point at the hook of a base chain', async () => {
    const text = listing.replace(/(type filter hook forward priority )[^;]+/, '$17');
    const [finding] = await findingsOf(text);
    assert.match(text.split('\n')[(finding?.found[0]?.line ?? 0) - 1] ?? '', /type filter hook forward priority 7/);
  });

  it('point at the line of a command that is given to nft', async () => {
    const restore = 'golden/recorded/services/affinity-clientip/nftables/nft.v4.restore';
    const commands = readFileSync(join(root, restore), 'utf8');
    const edits: readonly (readonly [RegExp, string, RegExp])[] = [
      [
        /dnat to 10\.244\.1\.30:8080/,
        'dnat to 10.244.9.9:8080',
        /^add rule ip kube-proxy endpoint-.* 10\.244\.9\.9:8080$/,
      ],
      [/10\.96\.140\.2 \. tcp \. 80 : /, '10.96.140.9 . tcp . 81 : ', /^add element .* 10\.96\.140\.9 \. tcp \. 81 : /],
      [/(hook forward priority )\S+/, '$17', /^add chain ip kube-proxy filter-forward \{.* priority 7 /],
    ];
    for (const [from, to, line] of edits) {
      const text = commands.replace(from, to);
      const findings = await findingsOf(text);
      const lines = findings.flatMap(({ found }) => found.map((place) => text.split('\n')[place.line - 1] ?? ''));
      assert.ok(
        lines.some((one) => line.test(one)),
        lines.join('\n'),
      );
    }
  });
});
