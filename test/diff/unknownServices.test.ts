import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { summaryLine } from '../../src/report/forms/summaryLine.ts';
import { compileCase, root } from '../support/compileCase.ts';
import { diffText } from './diffCase.ts';

/** What the summary says of a dump with further lines in KUBE-SERVICES of nat. */
async function iptables(lines: readonly string[]): Promise<string> {
  const { compiled } = await compileCase('services/lb-etp-local', '--family', 'ipv4');
  assert.ok(compiled);
  const text = readFileSync(join(root, 'golden/recorded/services/lb-etp-local/iptables/iptables.v4.save'), 'utf8');
  const at = text.lastIndexOf('-A KUBE-SERVICES -d');
  return summaryLine(diffText(compiled, [`${text.slice(0, at)}${lines.join('\n')}\n${text.slice(at)}`], 'ipv4'));
}

const jump = '-j KUBE-SVC-AAAAAAAAAAAAAAAA';
const to = (ip: string, port: number, comment: string) =>
  `-A KUBE-SERVICES -d ${ip}/32 -p tcp${comment === '' ? '' : ` -m comment --comment "${comment}"`} -m tcp --dport ${port} ${jump}`;

describe('the count of Services that no manifest names', () => {
  it('takes all ports and addresses of one name for one Service', async () => {
    const ports = [to('10.96.9.9', 80, 'shop/old:http cluster IP'), to('10.96.9.9', 443, 'shop/old:https cluster IP')];
    assert.match(await iptables(ports), /, 1 unknown/);
    assert.match(await iptables([...ports, to('192.0.2.9', 80, 'shop/old:http external IP')]), /, 1 unknown/);
    assert.match(await iptables([...ports, to('10.96.9.10', 80, 'shop/older cluster IP')]), /, 2 unknown/);
  });

  it('counts by addresses where rules bear no name', async () => {
    const ports = [to('10.96.9.9', 80, ''), to('10.96.9.9', 443, '')];
    assert.match(await iptables(ports), /, 1 unknown/);
    assert.match(await iptables([...ports, to('10.96.9.10', 80, '')]), /, 2 unknown/);
  });

  it('does not count a further address of a Service that it knows', async () => {
    const { compiled } = await compileCase('services/lb-etp-local', '--family', 'ipv4');
    const known = compiled?.plans[0]?.services[0]?.port;
    const summary = await iptables([to('10.96.9.9', 80, `${known?.namespace}/${known?.name} cluster IP`)]);
    assert.doesNotMatch(summary, /unknown/);
  });

  it('knows elements and chains of nftables', async () => {
    const element = (port: number) =>
      `10.96.9.9 . tcp . ${port} : goto service-AAAAAAAA-shop/old/tcp/p${port}__10.96.9.9/tcp/${port},\n\t\t\t     `;
    const file = 'nftables/nft.v4.save';
    const first = /(?<=map service-ips \{[^}]*elements = \{ )\S/.exec(
      readFileSync(join(root, 'golden/recorded/services/lb-etp-local', file), 'utf8'),
    );
    assert.ok(first);
    const text = readFileSync(join(root, 'golden/recorded/services/lb-etp-local', file), 'utf8');
    const { compiled } = await compileCase('services/lb-etp-local', '--family', 'ipv4', '--mode', 'nftables');
    assert.ok(compiled);
    const stale = text.slice(0, first.index) + element(80) + element(443) + text.slice(first.index);
    assert.match(summaryLine(diffText(compiled, [stale], 'ipv4')), /, 1 unknown/);
  });
});
