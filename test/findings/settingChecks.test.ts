import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readDumps } from '../../src/dump/readDumps.ts';
import { settingChecks } from '../../src/findings/checks/node/settingChecks.ts';

/** What is said of the tables of a dump with counters. */
function seenIn(tables: Readonly<Record<string, readonly string[]>>): readonly string[] {
  const text = Object.entries(tables).flatMap(([name, rules]) => {
    const chains = new Set(rules.map((rule) => / -A (\S+)/.exec(rule)?.[1] ?? ''));
    return [`*${name}`, ...[...chains].map((chain) => `:${chain} - [0:0]`), ...rules, 'COMMIT'];
  });
  const { iptables } = readDumps([{ name: 'a.save', text: `${text.join('\n')}\n` }], { name: 'a' });
  return iptables.flatMap((set) => [...settingChecks(set)].map(({ code, what }) => `${code} ${what}`));
}

describe('settings that a dump shows', () => {
  it('are INVALID packets that were dropped, counted by an accounting object or not', () => {
    const seen = 'K8N505 KUBE-FORWARD has dropped 7 packets that conntrack marks INVALID';
    const invalid = '[7:420] -A KUBE-FORWARD -m conntrack --ctstate INVALID';
    assert.deepEqual(seenIn({ filter: [`${invalid} -j DROP`] }), [seen]);
    assert.deepEqual(
      seenIn({ filter: [`${invalid} -m nfacct --nfacct-name  ct_state_invalid_dropped_pkts -j DROP`] }),
      [seen],
    );
    assert.deepEqual(seenIn({ filter: [`${invalid} -j ACCEPT`] }), []);
    assert.deepEqual(seenIn({ filter: ['[7:420] -A KUBE-FORWARD -m conntrack ! --ctstate INVALID -j DROP'] }), []);
  });

  it('are source ranges, with what was dropped from elsewhere, in nat or in filter', () => {
    const range = (text: string) =>
      `[1:60] -A KUBE-FW-AAAAAAAAAAAAAAAA -s ${text} -m comment --comment "shop/lb:http loadbalancer IP" -j KUBE-EXT-AAAAAAAAAAAAAAAA`;
    const ranges = [range('192.0.2.0/24'), range('198.51.100.7/32')];
    const open = 'K8N506 shop/lb:http is open to 192.0.2.0/24, 198.51.100.7/32 only';
    const drop =
      '[3:180] -A KUBE-FW-AAAAAAAAAAAAAAAA -m comment --comment "shop/lb:http loadbalancer IP" -j KUBE-MARK-DROP';
    assert.deepEqual(seenIn({ nat: [...ranges, drop] }), [`${open} and has dropped 3 from elsewhere`]);
    assert.deepEqual(seenIn({ nat: ranges }), []);
    const inFilter = (chain: string) =>
      `[2:120] -A KUBE-PROXY-FIREWALL -d 203.0.113.5/32 -p tcp -m comment --comment "shop/lb:http traffic not accepted by ${chain}" -m tcp --dport 80 -j DROP`;
    assert.deepEqual(
      seenIn({ nat: ranges, filter: [inFilter('KUBE-FW-BBBBBBBBBBBBBBBB'), inFilter('KUBE-FW-AAAAAAAAAAAAAAAA')] }),
      [`${open} and has dropped 2 from elsewhere`],
    );
  });

  it('are marks on all that goes to cluster IPs', () => {
    const mark = (head: string, what: string) =>
      `[0:0] -A KUBE-SVC-AAAAAAAAAAAAAAAA ${head}-d 10.96.0.10/32 -p tcp -m comment --comment "shop/web:http ${what}" -m tcp --dport 80 -j KUBE-MARK-MASQ`;
    const seen = 'K8N408 masqueradeAll is set: every packet for the cluster IP of shop/web:http is marked';
    assert.deepEqual(seenIn({ nat: [mark('', 'cluster IP')] }), [seen]);
    assert.deepEqual(seenIn({ nat: [mark('! -s 10.244.0.0/16 ', 'cluster IP')] }), []);
    assert.deepEqual(seenIn({ nat: [mark('! -i cni0 ', 'cluster IP')] }), []);
    assert.deepEqual(seenIn({ nat: [mark('', 'external IP')] }), []);
  });
});
