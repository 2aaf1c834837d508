import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { benchNode } from './cluster.ts';
import { makeCluster } from './makeCluster.ts';
import { type Measurement, measure } from './measure.ts';

/**
 * Dumps with a million rules that nobody expects: of Services that are gone, a few to a chain or many, of another program,
 * and in KUBE-SERVICES. Of the last each is a finding or an object, which takes a minute: that is measured once.
 */
export function benchMillion(scratch: string, runs: number, figures: (measured: Measurement) => string): void {
  const manifests = join(scratch, 'million.json');
  const save = join(scratch, 'million.save');
  makeCluster(manifests, { services: 1000, endpointsPerService: 10 }, 'json');
  measure(['compile', '-q', '-f', manifests, '--node', benchNode], scratch, 1);
  const text = readFileSync(join(scratch, 'out'), 'utf8');
  const against = ['diff', '-v', '-f', manifests, '--node', benchNode, save];
  const row = (what: string, args: readonly string[], times: number, ends: number) =>
    console.log(`  ${what.padEnd(36)}${figures(measure(args, scratch, times, ends))}`);

  console.log(`\ndumps with ${million} rules that nobody expects (median of ${runs})`);
  write(save, text, 'nat', goneServices());
  row('diff, chains of Services', against, runs, 0);
  row('doctor, chains of Services', ['doctor', save], runs, 0);
  write(save, text, 'nat', longChains());
  row('diff, 32 chains', against, runs, 0);
  write(save, text, 'filter', foreignRules());
  row('diff, of another program', against, runs, 0);
  write(save, text, 'nat', entrances());
  row('canon, in KUBE-SERVICES', ['canon', save], runs, 0);
  row('doctor, in KUBE-SERVICES', ['doctor', save], runs, 1);
  row('diff, in KUBE-SERVICES (once)', against, 1, 1);
  row('import, in KUBE-SERVICES (once)', ['import', save], 1, 0);
}

const million = 1_000_000;

/** A chain that is declared, or a rule. */
type Line = readonly [kind: 'chain' | 'rule', line: string];

/** Ten rules a Service, in four chains. */
function* goneServices(): Iterable<Line> {
  for (let at = 0; at < million / 10; at += 1) {
    const service = chainName('SVC', at);
    const endpoints = [0, 1, 2].map((one) => ({
      name: chainName('SEP', 4 * at + one),
      ip: address(180, 4 * at + one),
    }));
    const name = `gone/service-${at}:http`;
    const ip = address(100, at);
    for (const chain of [service, ...endpoints.map((endpoint) => endpoint.name)]) yield declared(chain);
    yield rule(
      `${service} ! -s 10.244.0.0/16 -d ${ip}/32 -p tcp -m comment --comment "${name} cluster IP" -m tcp --dport 80 -j KUBE-MARK-MASQ`,
    );
    for (const [place, endpoint] of endpoints.entries()) {
      const comment = `-m comment --comment "${name} -> ${endpoint.ip}:8080"`;
      yield rule(`${service} ${comment} ${shares[place]}-j ${endpoint.name}`);
      yield rule(`${endpoint.name} -s ${endpoint.ip}/32 -m comment --comment "${name}" -j KUBE-MARK-MASQ`);
      yield rule(
        `${endpoint.name} -p tcp -m comment --comment "${name}" -m tcp -j DNAT --to-destination ${endpoint.ip}:8080`,
      );
    }
  }
}

const shares = [
  '-m statistic --mode random --probability 0.33333333349 ',
  '-m statistic --mode random --probability 0.50000000000 ',
  '',
];

function* longChains(): Iterable<Line> {
  const chains = Array.from({ length: 32 }, (_, at) => chainName('SEP', at));
  for (const chain of chains) yield declared(chain);
  for (let at = 0; at < million; at += 1) {
    const comment = `-m comment --comment "gone/service-${at % 4}:http"`;
    yield rule(`${chains[at % 32]} -s ${address(10, at >> 2)}/32 ${comment} -j KUBE-MARK-MASQ`);
  }
}

function* foreignRules(): Iterable<Line> {
  for (let at = 0; at < million; at += 1) {
    yield rule(`INPUT -s ${address(10, at)}/32 -p tcp -m tcp --dport ${1 + (at % 65_535)} -j DROP`);
  }
}

function* entrances(): Iterable<Line> {
  for (let at = 0; at < million; at += 1) {
    const comment = `-m comment --comment "gone/service-${at}:http cluster IP"`;
    yield rule(`KUBE-SERVICES -d ${address(97, at)}/32 -p tcp ${comment} -m tcp --dport 80 -j ${chainName('SVC', 0)}`);
  }
}

function declared(chain: string): Line {
  return ['chain', `:${chain} - [0:0]`];
}

function rule(words: string): Line {
  return ['rule', `-A ${words}`];
}

/** As kube-proxy names them: sixteen letters and digits of base 32. */
function chainName(kind: string, number: number): string {
  let hash = '';
  for (let left = number; hash.length < 16; left = Math.floor(left / 32)) hash += base32[left % 32];
  return `KUBE-${kind}-${hash}`;
}

const base32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

function address(first: number, number: number): string {
  return `${first + (number >> 24)}.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}`;
}

/** Writes the text with lines added to a table: chains behind those that it declares, rules at its end. */
function write(file: string, text: string, table: string, added: Iterable<Line>): void {
  const start = text.indexOf(`*${table}\n`);
  const firstRule = text.indexOf('\n-A ', start) + 1;
  const commit = text.indexOf('\nCOMMIT', start) + 1;
  const lines: Readonly<Record<Line[0], string[]>> = { chain: [], rule: [] };
  for (const [kind, line] of added) lines[kind].push(line);
  const descriptor = openSync(file, 'w');
  writeSync(descriptor, text.slice(0, firstRule));
  writeLines(descriptor, lines.chain);
  writeSync(descriptor, text.slice(firstRule, commit));
  writeLines(descriptor, lines.rule);
  writeSync(descriptor, text.slice(commit));
  closeSync(descriptor);
}

function writeLines(descriptor: number, lines: readonly string[]): void {
  for (let from = 0; from < lines.length; from += linesAtOnce) {
    writeSync(descriptor, `${lines.slice(from, from + linesAtOnce).join('\n')}\n`);
  }
}

const linesAtOnce = 50_000;
