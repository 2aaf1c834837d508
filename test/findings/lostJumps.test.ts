import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { diagnoseDump } from '../../src/diff/diagnoseDump.ts';
import { readDumps } from '../../src/dump/readDumps.ts';
import { isFailing } from '../../src/report/isFailing.ts';
import { compileCase } from '../support/compileCase.ts';

/** What the rules of a node alone are told of. */
const told = (text: string) =>
  diagnoseDump(readDumps([{ name: 'save', text }], { name: 'node' }))
    .findings.filter(isFailing)
    .map(({ code, what }) => `${code} ${what}`);

const jumps = [
  ['ipvs', 'INPUT', 'KUBE-IPVS-FILTER', '1.26'],
  ['ipvs', 'OUTPUT', 'KUBE-IPVS-OUT-FILTER', '1.29'],
  ['ipvs', 'INPUT', 'KUBE-NODE-PORT', '1.24'],
  ['ipvs', 'INPUT', 'KUBE-PROXY-FIREWALL', '1.25'],
  ['iptables', 'FORWARD', 'KUBE-PROXY-FIREWALL', '1.25'],
] as const;

describe('a jump to a chain of the table filter', () => {
  for (const [mode, from, to, since] of jumps) {
    it(`is missed, in versions that have it: ${mode} mode, ${from} to ${to}`, async () => {
      for (const version of ['1.24', '1.25', '1.26', '1.29', '1.36']) {
        const { text } = await compileCase('services/lb-source-ranges', '--mode', mode, '--kube-version', version);
        const whole = text('iptables.v4.save');
        assert.deepEqual(told(whole), [], version);
        const filter = whole.indexOf('*filter');
        const rest = whole.slice(filter).replace(new RegExp(`^-A ${from} .*-j ${to}\n`, 'm'), '');
        const lost = whole.slice(0, filter) + rest;
        const isThere = Number(version.slice(2)) >= Number(since.slice(2));
        assert.equal(lost !== whole, isThere, version);
        const seen = `K8N207 ${from} of the table filter does not jump to ${to}`;
        assert.deepEqual(told(lost), isThere ? [seen] : [], version);
        // Another chain may stand between, as of a program that sorts the rules of others.
        const between = lost.replace(/^(\*filter\n(?::.*\n)*)/m, (head) => {
          return `${head}:MINE - [0:0]\n-A ${from} -j MINE\n-A MINE -j ${to}\n`;
        });
        assert.deepEqual(told(isThere ? between : whole), [], version);
      }
    });
  }
});
