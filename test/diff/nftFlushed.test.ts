import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { diagnoseDump } from '../../src/diff/diagnoseDump.ts';
import { readDumps } from '../../src/dump/readDumps.ts';
import { isFailing } from '../../src/report/isFailing.ts';
import { compileCase, root } from '../support/compileCase.ts';
import { runCli } from '../support/runCli.ts';
import { diffText, said } from './diffCase.ts';

const recordings = join(root, 'golden/recorded/nft-dialects/lb-basic');
const versions = readdirSync(recordings);

const recorded = (version: string, family = 'v4') =>
  readFileSync(join(recordings, version, `nft.${family}.save`), 'utf8');

/** As `nft flush table` or, of some chains, `nft flush chain` leaves a listing. */
function flushed(listing: string, isFlushed: (chain: string) => boolean = () => true): string {
  return listing.replace(/^\tchain (\S+) \{\n([\s\S]*?)^\t\}$/gm, (whole: string, name: string, body: string) => {
    if (!isFlushed(name)) return whole;
    const kept = body.split('\n').filter((line) => /^\t\t(?:type|comment) /.test(line));
    return [`\tchain ${name} {`, ...kept, '\t}'].join('\n');
  });
}

const withoutElements = (listing: string) => listing.replace(/^\t\telements = \{[^}]*\}\n/gm, '');

const isOfService = (chain: string) => /^[a-z]+-[A-Z0-9]{8}-/.test(chain);

async function compared(listing: string, version: string) {
  const { compiled } = await compileCase('services/lb-basic', '--mode', 'nftables', '--kube-version', version);
  assert.ok(compiled);
  return diffText(compiled, [listing], 'ipv4');
}

const alone = (listing: string) => diagnoseDump(readDumps([{ name: 'nft', text: listing }], { name: 'node' }));

const other = 'table ip other {\n\tchain input {\n\t\ttype filter hook input priority filter; policy accept;\n\t}\n}\n';

describe('a table of nftables mode that was flushed', () => {
  it('is one finding, with and without manifests, and no Service is the same', async () => {
    for (const version of versions) {
      for (const text of [flushed(recorded(version)), withoutElements(flushed(recorded(version)))]) {
        const report = await compared(text, version);
        const failing = report.findings.filter(isFailing);
        assert.deepEqual(
          failing.map(({ code }) => code),
          ['K8N212'],
          `${version}\n${said(report)}`,
        );
        assert.match(failing[0]?.what ?? '', /no chain of the table ip kube-proxy has a rule/);
        assert.match(failing[0]?.fix ?? '', /Find what flushes the chains .* Restart kube-proxy/);
        assert.deepEqual(report.changes, []);
        assert.equal(report.summary.same, 0);
        assert.equal(report.summary.missing, report.summary.services);
        const own = alone(text);
        assert.deepEqual(
          own.findings.filter(isFailing).map(({ code }) => code),
          ['K8N212'],
        );
        assert.equal(own.summary.same, 0);
      }
    }
  });

  it('is told of one Service that is asked for', () => {
    const args = [
      '-f',
      'fixtures/services/lb-basic/manifests.yaml',
      '--service',
      'default/edge',
      '--family',
      'ipv4',
      '-',
    ];
    const { status, stdout } = runCli(['diff', '--mode', 'nftables', ...args], { input: flushed(recorded('1.33')) });
    assert.equal(status, 1);
    assert.match(stdout, /^1 Service: 0 same, 1 missing/);
    assert.match(stdout, /error K8N212/);
  });

  it('is told beside an element that no Service has', async () => {
    const changed = flushed(recorded('1.33')).replace(/(map service-ips \{[^}]*elements = \{ )/, (start) => {
      return `${start}203.0.113.77 . tcp . 9 : goto service-AAAAAAAA-default/old/tcp/http, `;
    });
    const ids = (await compared(changed, '1.33')).findings.filter(isFailing).map(({ code }) => code);
    assert.ok(ids.includes('K8N212') && ids.includes('K8N202'), ids.join());
  });
});

describe('chains of all Services that were flushed', () => {
  it('are one finding, and no Service is the same', async () => {
    for (const version of versions) {
      const text = flushed(recorded(version), isOfService);
      const report = await compared(text, version);
      const failing = report.findings.filter(isFailing);
      assert.deepEqual(
        failing.map(({ code }) => code),
        ['K8N205'],
        `${version}\n${said(report)}`,
      );
      assert.match(
        failing[0]?.what ?? '',
        /all \d+ chains of Services and endpoints of the table ip kube-proxy are empty/,
      );
      assert.equal(report.summary.same, 0);
      assert.equal(report.summary.differ, report.summary.services);
      assert.deepEqual(
        alone(text)
          .findings.filter(isFailing)
          .map(({ code }) => code),
        ['K8N205'],
      );
    }
  });

  it('are told one by one where one has rules', async () => {
    let isFirst = true;
    const all = recorded('1.33');
    const text = flushed(all, (chain) => {
      if (!isOfService(chain)) return false;
      const isKept = isFirst && chain.startsWith('endpoint-');
      if (isKept) isFirst = false;
      return !isKept;
    });
    const report = await compared(text, '1.33');
    assert.ok(report.findings.filter(isFailing).length > 1, said(report));
    assert.doesNotMatch(said(report), /chains of Services and endpoints/);
  });
});

describe('the table of nftables mode that is not there', () => {
  it('is told, where other tables were dumped, and no Service is the same', async () => {
    const report = await compared(other, '1.33');
    const failing = report.findings.filter(isFailing);
    assert.deepEqual(
      failing.map(({ code }) => code),
      ['K8N111'],
    );
    assert.match(failing[0]?.what ?? '', /^no rule of kube-proxy is in .* which has the nft table ip other$/);
    assert.equal(report.summary.missing, report.summary.services);
    const beside = await compared(other + recorded('1.33'), '1.33');
    assert.deepEqual(beside.findings.filter(isFailing), [], said(beside));
  });
});

describe('one family’s table of nftables mode that is not there', () => {
  const listing = readFileSync(join(root, 'golden/recorded/nft-dialects/dualstack-basic/1.36/nft.v6.save'), 'utf8');
  const args = ['diff', '-f', 'fixtures/services/dualstack-basic/manifests.yaml', '--mode', 'nftables'];

  it('is told of a whole listing, as collect takes it', () => {
    const folder = mkdtempSync(join(tmpdir(), 'k8snet-family-'));
    try {
      mkdirSync(join(folder, 'dumps'));
      writeFileSync(join(folder, 'dumps', 'nft.txt'), listing);
      const { status, stdout } = runCli([...args, '--kube-version', '1.36', folder]);
      assert.equal(status, 1, stdout);
      assert.match(stdout, /error K8N212 the table ip kube-proxy is not in the dump/);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('is no more than a remark of a listing that may be of one table', () => {
    const { stdout } = runCli([...args, '--kube-version', '1.36', '-'], { input: listing });
    assert.doesNotMatch(stdout, /K8N212/);
    assert.match(stdout, /info K8N107/);
  });
});
