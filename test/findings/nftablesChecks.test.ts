import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { readDumps } from '../../src/dump/readDumps.ts';
import { nftablesChecks } from '../../src/findings/checks/chains/nftablesChecks.ts';
import { wholeDump } from '../../src/findings/checks/checkScope.ts';
import { root } from '../support/compileCase.ts';

const recordedBy = (version: string) =>
  readFileSync(join(root, `golden/recorded/nft-dialects/lb-basic/${version}/nft.v4.save`), 'utf8');

function ids(change: (text: string) => string, version = '1.30'): readonly string[] {
  const text = change(recordedBy(version));
  const dump = readDumps([{ name: 'nft', text }], { name: 'node' });
  return nftablesChecks(dump, wholeDump).map(({ finding: { code, severity, found, service } }) => {
    assert.ok((found[0]?.line ?? 0) > 0);
    return `${code} ${severity}${service === undefined ? '' : ` ${service}`}`;
  });
}

const edited = (from: RegExp | string, to: string) => (text: string) => {
  const changed = text.replace(from, to);
  assert.notEqual(changed, text);
  return changed;
};

describe('kube-proxy’s table of nftables mode by itself', () => {
  it('is right as it was recorded', () => {
    const versions = readdirSync(join(root, 'golden/recorded/nft-dialects/lb-basic'));
    assert.ok(versions.length >= 8, versions.join());
    for (const version of versions) {
      assert.deepEqual(
        ids((text) => text, version),
        [],
        version,
      );
    }
  });

  it('must have rules where it leads', () => {
    const empty = edited(/(chain service-6NZOE5VQ\S+ \{)\n[^}]*?\n[^}]*\}[^}]*\}/, '$1\n\t}');
    assert.deepEqual(ids(empty), ['K8N205 error default/edge:https']);
    assert.deepEqual(ids(edited('goto external-6NZOE5VQ', 'goto external-AAAAAAAA')), [
      'K8N205 error default/edge:https',
    ]);
  });

  it('must be led to from the hooks', () => {
    assert.deepEqual(ids(edited(/(hook prerouting priority dstnat; policy accept;\n)\t\tjump services\n/, '$1')), [
      'K8N207 error',
    ]);
    assert.deepEqual(ids(edited('\t\tjump masquerading\n', '')), ['K8N207 error']);
    assert.deepEqual(ids(edited(/.* vmap @service-nodeports\n/, '')), ['K8N207 error']);
    assert.deepEqual(ids(edited(/.* vmap @service-ips\n/, '')), ['K8N207 error']);
  });

  it('must give each endpoint its share', () => {
    assert.deepEqual(ids(edited('mod 3', 'mod 4')), ['K8N301 error default/edge:https']);
    assert.deepEqual(ids(edited('mod 3', 'mod 2')), [
      'K8N302 warning default/edge:https',
      'K8N308 error default/edge:https',
    ]);
    assert.deepEqual(ids(edited(/(0 : goto )(endpoint-\S+)(, 1 : goto )endpoint-\S+?(?=,)/, '$1$2$3$2')), [
      'K8N303 warning default/edge:https',
    ]);
  });

  it('must masquerade just what is marked, once', () => {
    assert.deepEqual(ids(edited(/\t\tmasquerade fully-random\n/, '')), ['K8N410 error']);
    assert.deepEqual(ids(edited(/\t\tmeta mark & \S+ == \S+ return\n/, '')), ['K8N410 error']);
    assert.deepEqual(ids(edited(/\t\tmeta mark set meta mark \^ \S+\n/, '')), ['K8N404 warning']);
  });

  it('must give each endpoint its share of a map', () => {
    const balance = (from: RegExp | string, to: string) => ids(edited(from, to), '1.36');
    assert.deepEqual(balance('mod 3', 'mod 4'), ['K8N301 error default/edge:https']);
    assert.deepEqual(balance('mod 3', 'mod 2'), [
      'K8N302 warning default/edge:https',
      'K8N308 error default/edge:https',
    ]);
    assert.deepEqual(balance(/(map \{ 0 : )(\S+ \. \d+)(, 1 : )\S+ \. \d+/, '$1$2$3$2'), [
      'K8N303 warning default/edge:https',
    ]);
  });

  it('must masquerade what is marked and what meets itself, by one rule each', () => {
    const masquerading = (from: RegExp | string, to: string) => ids(edited(from, to), '1.36');
    assert.deepEqual(masquerading(/(\^ \S+) masquerade fully-random/, '$1'), ['K8N410 error']);
    assert.deepEqual(masquerading(/\t\tmeta mark & \S+ != \S+ (.*masquerade)/, '\t\t$1'), ['K8N410 error']);
    assert.deepEqual(masquerading(/ meta mark set meta mark \^ \S+ masq/, ' masq'), ['K8N404 warning']);
    assert.deepEqual(masquerading(/\t\tct status dnat .*\n/, ''), ['K8N403 warning']);
  });

  it('must be asked first', () => {
    const other = (priority: string, rule: string) => (text: string) =>
      `${text}\ntable ip own {\n\tchain pre {\n\t\ttype nat hook prerouting priority ${priority}; policy accept;\n\t\t${rule}\n\t}\n}\n`;
    assert.deepEqual(ids(other('-150', 'tcp dport 443 redirect to :8443')), ['K8N606 error']);
    assert.deepEqual(ids(other('-150', 'ip daddr 10.96.0.0/12 dnat to 10.0.0.1')), ['K8N606 error']);
    assert.deepEqual(ids(other('dstnat', 'tcp dport 443 redirect to :8443')), ['K8N606 warning']);
    assert.deepEqual(ids(other('-150', 'tcp dport 22 redirect to :2222')), ['K8N606 warning']);
    assert.deepEqual(ids(other('-150', 'ip daddr 192.0.2.9 tcp dport 443 dnat to 10.0.0.1')), []);
    assert.deepEqual(ids(other('-50', 'tcp dport 443 redirect to :8443')), []);
    assert.deepEqual(ids(other('-150', 'tcp dport 443 accept')), []);
  });
});
