import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readDumps } from '../../src/dump/readDumps.ts';
import { hostPortChecks } from '../../src/findings/checks/services/hostPortChecks.ts';

const asked = '-A PREROUTING -m addrtype --dst-type LOCAL -j CNI-HOSTPORT-DNAT';
const to = (chain: string, port: number, protocol = 'tcp') =>
  `-A CNI-HOSTPORT-DNAT -p ${protocol} -m comment --comment "dnat name: \\"net\\" id: \\"x\\"" -m multiport --dports ${port} -j CNI-DN-${chain}`;
const dnat = (chain: string, port: number, ip = '') =>
  `-A CNI-DN-${chain} ${ip === '' ? '' : `-d ${ip}/32 `}-p tcp -m tcp --dport ${port} -j DNAT --to-destination 10.244.0.9:80`;

function found(...texts: readonly (readonly string[])[]): readonly string[] {
  const files = texts.map((lines, at) => ({ name: `f${at}`, text: `${lines.join('\n')}\n` }));
  const dump = readDumps(files, { name: 'node', family: 'ipv4' });
  assert.deepEqual(dump.unread, []);
  return hostPortChecks(dump).map(({ finding: { code, what, found } }) => {
    const [place] = found;
    return `${code} ${place?.file}:${place?.line} ${what}`;
  });
}

describe('host ports', () => {
  it('that lead to two Pods are named once, with both chains', () => {
    assert.deepEqual(found(['*nat', asked, to('aaaa', 8443), to('bbbb', 8443)]), [
      'K8N607 f0:4 host port 8443/tcp leads to CNI-DN-aaaa and CNI-DN-bbbb: the first one takes all traffic',
    ]);
  });

  it('of other protocols, other ports and other addresses of the node do not clash', () => {
    assert.deepEqual(found(['*nat', asked, to('aaaa', 8443), to('bbbb', 8443, 'udp'), to('cccc', 8444)]), []);
    const pods = [dnat('aaaa', 8443, '192.0.2.1'), dnat('bbbb', 8443, '192.0.2.2')];
    assert.deepEqual(found(['*nat', asked, to('aaaa', 8443), to('bbbb', 8443), ...pods]), []);
  });

  it('take cluster IPs in IPVS mode, which are addresses of the node', () => {
    const rules = ['*nat', asked, to('aaaa', 443)];
    const server = ['-A -t 10.96.0.1:443 -s rr', '-a -t 10.96.0.1:443 -r 192.0.2.1:6443 -m -w 1'];
    const seen = 'K8N601 f0:3 host port 443/tcp also takes 10.96.0.1, which IPVS mode puts on the node';
    assert.deepEqual(found(rules, server), [seen]);
    const set = [
      'create KUBE-CLUSTER-IP hash:ip,port family inet hashsize 1024 maxelem 65536',
      'add KUBE-CLUSTER-IP 10.96.0.1,tcp:443',
    ];
    assert.deepEqual(found(rules, set), [seen]);
    assert.deepEqual(found(rules), []);
    assert.deepEqual(found([...rules, dnat('aaaa', 443, '192.0.2.1')], server), []);
    assert.deepEqual(found(['*nat', asked, to('aaaa', 80)], server), []);
  });
});
