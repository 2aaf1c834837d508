import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { hostCidr } from '../../../src/common/addresses/hostCidr.ts';
import { familyOf } from '../../../src/common/addresses/ip.ts';
import { shownFiles } from './askHealthy.ts';
import type { Edit, Fault, HealthyCase } from './healthyCase.ts';

/** Faults that any node may have, in the rules of the mode and back end of the case. */
export function usualFaults(healthy: HealthyCase): readonly Fault[] {
  const { pods, services, hasIpv6 } = healthy.shape;
  const web = `${services}.1.10`;
  const lost = `${pods}.1.12 ${web}:80/tcp`;
  const rules = rulesOf(healthy);
  return [
    {
      what: 'a rule of kube-proxy is lost',
      edit: rules.lose(web),
      named: { diff: 'K8N201' },
      why: rules.says,
      lost,
    },
    dropped(rules, `${pods}.2.11`, lost),
    ...(hasIpv6 ? [dropped(rules, 'fd00:2::11', 'fd00:1::12 [fd00:96::1:10]:80/tcp')] : []),
    {
      what: 'somebody takes the port of a Service',
      edit: rules.redirect(80),
      named: {},
      why: 'sends it to .*:15001.*\n.*15001',
      lost,
    },
  ];
}

function dropped(rules: ModeRules, address: string, lost: string): Fault {
  return {
    what: `somebody drops what goes to the endpoint ${address}`,
    edit: rules.drop(address),
    named: {},
    why: `^Another rule comes first: a rule of another program in .* drops it\\.\n.*${address}.*(?:DROP|drop)`,
    lost,
  };
}

interface ModeRules {
  readonly lose: (address: string) => Edit;
  readonly drop: (address: string) => Edit;
  readonly redirect: (port: number) => Edit;
  readonly says: string;
}

const noRule = '^No rule of this node has the address ';

/** The first rule of a chain of this table, in what iptables-save prints. */
function firstOf(table: string, chain: string): string {
  return `(\\*${table}\\n(?:(?!COMMIT)[^\\n]*\\n)*?)((?:\\[0:0\\] )?-A ${chain} )`;
}

function rulesOf({ args, backend }: HealthyCase): ModeRules {
  const file = `iptables.${backend}.v4.save`;
  const before = (table: string, chain: string, rule: string): Edit => ({
    file: /-d \S*:/.test(rule) ? `iptables.${backend}.v6.save` : file,
    from: firstOf(table, chain),
    to: `$1-A ${chain} ${rule}\n$2`,
  });
  const redirect = (port: number) =>
    before('nat', 'PREROUTING', `-p tcp -m tcp --dport ${port} -j REDIRECT --to-ports 15001`);
  const mode = args[args.indexOf('--mode') + 1];
  switch (mode) {
    case 'ipvs':
      return {
        lose: (ip) => ({ file: 'ipvsadm.save', from: `-A -t ${ip}:80 .*\\n(?:-a -t ${ip}:80 .*\\n)+`, to: '' }),
        // What IPVS sends on leaves by OUTPUT.
        drop: (ip) => before('filter', 'OUTPUT', `-d ${hostCidr(ip)} -j DROP`),
        redirect,
        says: '^IPVS has no virtual server .*, although the set KUBE-CLUSTER-IP holds it',
      };
    case 'nftables':
      return {
        lose: (ip) => ({ file: 'nft.txt', from: `${ip} \\. tcp \\. 80 : goto [^,\\n]*,`, to: '' }),
        drop: (ip) => ({
          file: 'nft.txt',
          from: '$',
          to: nftTable(nftFamily(ip), 'filter hook forward priority 0', `${nftFamily(ip)} daddr ${ip} drop`),
        }),
        redirect: (port) => ({
          file: 'nft.txt',
          from: '$',
          to: nftTable('ip', 'nat hook prerouting priority -110', `tcp dport ${port} redirect to :15001`),
        }),
        says: noRule,
      };
    default:
      return {
        lose: (ip) => ({
          file,
          from: `(?:\\[0:0\\] )?-A KUBE-SERVICES -d ${ip}/32 [^\\n]* -j KUBE-SVC-[^\\n]*\\n`,
          to: '',
        }),
        drop: (ip) => before('filter', 'FORWARD', `-d ${hostCidr(ip)} -j DROP`),
        redirect,
        says: noRule,
      };
  }
}

function nftFamily(ip: string): 'ip' | 'ip6' {
  return familyOf(ip) === 'ipv6' ? 'ip6' : 'ip';
}

function nftTable(family: 'ip' | 'ip6', type: string, rule: string): string {
  return `\ntable ${family} stranger {\n\tchain own {\n\t\ttype ${type}; policy accept;\n\t\t${rule}\n\t}\n}\n`;
}

/** The files of the case with the fault in them. */
export function plantFault(healthy: HealthyCase, { edit, what }: Fault): readonly string[] {
  const folder = mkdtempSync(join(tmpdir(), 'k8snet-fault-'));
  // The same rules twice would be healthy once.
  const twin = edit.file === 'nft.txt' || healthy.args.includes('nftables') ? /\/iptables\.nft/ : /\/nft\.txt$/;
  let planted = 0;
  const files = shownFiles(healthy, { hasManifests: true, without: twin }).map((path) => {
    const name = basename(path);
    const text = readFileSync(path, 'utf8');
    const changed = name === edit.file ? text.replace(new RegExp(edit.from), edit.to) : text;
    if (changed !== text) planted += 1;
    const file = join(folder, name);
    writeFileSync(file, changed);
    return file;
  });
  assert.equal(planted, 1, `${healthy.name}: ${what}: nothing to change in ${edit.file}`);
  return files;
}
