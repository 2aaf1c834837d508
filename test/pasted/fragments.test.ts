import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { root } from '../support/compileCase.ts';
import { runCli } from '../support/runCli.ts';

const folder = join(root, 'fixtures/fragments');
const path = (name: string) => join(folder, name);

interface Fragment {
  readonly file: string;
  readonly manifests: string;
  /** `same/services` of diff. */
  readonly diff: readonly [same: number, services: number];
  /** Where split is asked, and what it answers: percent by endpoint, or by the chain that is not shown. */
  readonly where: string;
  readonly shares: Readonly<Record<string, string>>;
}

const whoami = '10.10.10.28:3000';
const nginx = '172.30.132.253:80';
const third = '33.33 %';
const gaps = {
  '10.129.1.27:80': third,
  '10.129.3.57:80': third,
  'not shown (KUBE-SEP-CDQIKEVSTA766BRK)': third,
};
const unledTo = { 'not shown (KUBE-SERVICES)': '100.00 %' };

const fragments: readonly Fragment[] = [
  {
    file: '000.txt',
    manifests: '000.yaml',
    diff: [1, 1],
    where: whoami,
    shares: {
      '10.11.32.6:3000': third,
      'not shown (KUBE-SEP-YXCSPWPTUFI5WI5Y)': third,
      'not shown (KUBE-SEP-FN74S3YUBFMWHBLF)': third,
    },
  },
  {
    file: '000-11.txt',
    manifests: '000.yaml',
    diff: [0, 1],
    where: whoami,
    shares: { 'not shown (KUBE-SVC-OQCLJJ5GLLNFY3XB)': '100.00 %' },
  },
  { file: '000-12.txt', manifests: '000.yaml', diff: [1, 1], where: whoami, shares: unledTo },
  { file: '000-13.txt', manifests: '000.yaml', diff: [1, 1], where: whoami, shares: unledTo },
  {
    file: 'cut-in-chain.txt',
    manifests: '002.yaml',
    diff: [1, 1],
    where: nginx,
    shares: { '10.129.1.27:80': third, '10.129.1.28:80': third, 'not shown (KUBE-SVC-SNP24T7IBBNZDJ76)': third },
  },
  {
    file: '002-07.txt',
    manifests: '002.yaml',
    diff: [1, 1],
    where: nginx,
    shares: { '10.129.1.27:80': third, '10.129.1.28:80': third, '10.129.3.57:80': third },
  },
  {
    file: '002-09.txt',
    manifests: '002-affinity.yaml',
    diff: [1, 1],
    where: nginx,
    shares: {
      '10.129.1.27:80': third,
      'not shown (KUBE-SEP-CDQIKEVSTA766BRK)': third,
      'not shown (KUBE-SEP-W5HTO42ZVNHJQWBG)': third,
    },
  },
  {
    file: '004-08.txt',
    manifests: '004.yaml',
    diff: [1, 1],
    where: '10.105.211.16:8000',
    shares: { '10.244.1.53:80': '50.00 %', '10.244.2.199:80': '50.00 %' },
  },
  ...readdirSync(folder)
    .filter((name) => name.startsWith('gap-'))
    .map((file) => ({ file, manifests: '002.yaml', diff: [1, 1] as const, where: nginx, shares: gaps })),
];

interface Finding {
  readonly id: string;
  readonly severity: string;
}

function findingsOf(text: string): readonly string[] {
  const { findings } = JSON.parse(text) as { readonly findings: readonly Finding[] };
  return findings.filter(({ severity }) => severity !== 'info').map(({ id }) => id);
}

const edited = mkdtempSync(join(tmpdir(), 'k8snet-fragments-'));
after(() => rmSync(edited, { recursive: true }));

/** The fragment with one thing done to it. */
function editedFile(file: string, found: string, by: string): string {
  const text = readFileSync(path(file), 'utf8');
  assert.ok(text.includes(found), `${file} has ${found}`);
  writeFileSync(join(edited, file), text.replace(found, by));
  return join(edited, file);
}

describe('fragments of dumps', () => {
  for (const { file, manifests, diff, where, shares } of fragments) {
    it(`${file}: doctor and diff find nothing that is not there`, () => {
      const doctor = runCli(['doctor', path(file), '-o', 'json']);
      assert.deepEqual(findingsOf(doctor.stdout), [], doctor.stdout);
      assert.doesNotMatch(`${doctor.stdout}${doctor.stderr}`, /shown twice/);
      const compared = runCli(['diff', '-f', path(manifests), path(file), '-o', 'json']);
      const { summary } = JSON.parse(compared.stdout);
      assert.deepEqual(findingsOf(compared.stdout), [], compared.stdout);
      assert.deepEqual([summary.same, summary.services], diff);
    });

    it(`${file}: split gives no share to an address that is not shown`, () => {
      const { stdout, status } = runCli(['split', where, path(file)]);
      const rows = stdout.split('\n').flatMap((line): readonly [string, string][] => {
        const [, to, percent] = /^(\S.*?) {2,}.*?(\d+\.\d\d %)(?= {3}|$)/.exec(line) ?? [];
        return to === undefined || percent === undefined ? [] : [[to, percent]];
      });
      assert.deepEqual(Object.fromEntries(rows), shares, stdout);
      const isShown = !Object.keys(shares).some((to) => to.startsWith('not shown'));
      assert.equal(status, isShown ? 0 : 3);
    });
  }

  it('trace and why leave open what hangs on a chain that is not shown, and say which', () => {
    for (const command of ['trace', 'why']) {
      const { stdout, status } = runCli([command, '--from', 'node', '--to', whoami, path('000.txt')]);
      assert.equal(status, 3, stdout);
      assert.match(
        stdout,
        /^66\.67 % of the connections go to KUBE-SEP-YXCSPWPTUFI5WI5Y, KUBE-SEP-FN74S3YUBFMWHBLF, which the dump does not show/,
      );
    }
  });

  it('a probability that is wrong is found behind a gap', () => {
    const wrong = editedFile('002-09.txt', '--probability 0.50000000000', '--probability 0.90000000000');
    const { stdout } = runCli(['diff', '-f', path('002-affinity.yaml'), wrong, '-o', 'json']);
    assert.ok(findingsOf(stdout).includes('K8N302'), stdout);
  });

  it('a heading over the rules of another node still parts them', () => {
    const two = editedFile('002-09.txt', '# 省略2条类似的KUBE-SVC规则\n...\n', '### node2\n');
    assert.match(runCli(['split', nginx, two]).stderr, /shown twice/);
  });

  it('manifests without endpoints are not compared with a Service whose endpoints are not all shown', () => {
    const manifests = join(root, 'fixtures/posts/000-whoami-clusterip/manifests');
    const { stdout, status } = runCli(['diff', '-f', manifests, path('000.txt'), '-o', 'json']);
    assert.deepEqual(findingsOf(stdout), [], stdout);
    assert.equal(status, 0);
  });

  for (const [file, service, lines] of [
    ['000.txt', 'default/whoami', 7],
    ['002-07.txt', 'demo/nginx-web-1', 10],
    ['004-08.txt', 'default/nginx-service', 8],
  ] as const) {
    it(`canon finds ${service} in ${file}, each rule once`, () => {
      const { stdout, status } = runCli(['canon', '--service', service, path(file)]);
      const rules = stdout.split('\n').filter((line) => line.startsWith('-A '));
      assert.equal(status, 0, stdout);
      assert.equal(rules.length, lines, stdout);
      assert.equal(new Set(rules).size, lines);
      assert.match(stdout, /^# a part of the node's rules; not shown: .*KUBE-MARK-MASQ/m);
    });
  }

  it('a whole dump is read through a warning inside of a rule, and through lines that were folded', () => {
    for (const file of ['folded.save', 'warning-inside.save']) {
      const { stdout } = runCli(['doctor', path(file), '-o', 'json']);
      const { findings, unread } = JSON.parse(stdout);
      const ids = (findings as readonly Finding[]).map(({ id }) => id).sort();
      assert.deepEqual(ids, [...(file === 'folded.save' ? [] : ['K8N103']), 'K8N501', 'K8N506'], stdout);
      assert.deepEqual(unread ?? [], []);
    }
  });

  it('tables of iptables-nft as old nft lists them are refused in a line, by each command', () => {
    const file = path('listed-by-nft.txt');
    for (const args of [
      ['doctor', file],
      ['diff', '-f', path('002.yaml'), file],
      ['split', nginx, file],
    ]) {
      const { stdout, stderr, status } = runCli(args);
      assert.equal(status, 2);
      assert.equal(stdout, '');
      assert.match(stderr, /tables of iptables-nft as nft lists them/);
    }
  });
});
