import { ipPort } from '../common/addresses/ipPort.ts';
import { findFirst } from '../common/findFirst.ts';
import { escapeText } from '../common/text/escapeText.ts';
import { absenceFinding } from '../findings/checks/absenceFinding.ts';
import { dumpChecks } from '../findings/checks/dumpChecks.ts';
import { hairpinOff } from '../findings/checks/node/hairpinOff.ts';
import { ipvsAddresses } from '../findings/checks/node/ipvsAddresses.ts';
import { mtuChecks } from '../findings/checks/node/mtuChecks.ts';
import { settingChecks } from '../findings/checks/node/settingChecks.ts';
import { syncChecks } from '../findings/checks/node/syncChecks.ts';
import { sysctlChecks } from '../findings/checks/node/sysctlChecks.ts';
import { dumpedFlowServices } from '../findings/checks/services/dumpedFlowServices.ts';
import { silentConnections } from '../findings/checks/services/silentConnections.ts';
import { stuckFlows } from '../findings/checks/services/stuckFlows.ts';
import type { Finding } from '../findings/finding.ts';
import { makeFinding } from '../findings/makeFinding.ts';
import { foldJumps } from '../findings/triage/foldJumps.ts';
import { isEndpointChain, isProxyChain } from '../netfilter/proxyChains.ts';
import { staleChainsOf } from '../node/chains/chainUses.ts';
import { eachChain, sharedChains } from '../node/chains/eachChain.ts';
import { chainPlace, type DumpPlace, linesOf, placeOf } from '../node/lines/chainLines.ts';
import { lacksLines } from '../node/lostLines.ts';
import type { NodeRules } from '../node/nodeRules.ts';
import type { RuleChain } from '../node/ruleChain.ts';
import { everyTool } from '../node/ruleKinds.ts';
import { targetName } from '../node/rulesOf.ts';
import type { DiffReport } from '../report/diffReport.ts';
import { serviceOfPort } from '../seen/names/serviceOfPort.ts';
import { proxySeen } from '../seen/proxySeen.ts';
import { fixNamesOf } from './fixNamesOf.ts';

/** What a dump shows by itself, without manifests. */
export function diagnoseDump(dump: NodeRules): DiffReport {
  let staleChains = 0;
  let foreignRules = 0;
  // Virtual servers have no names: each counts if nothing else names a Service.
  const services = proxySeen(dump).names.size || virtualServers(dump).length;
  for (const set of everyTool(dump)) {
    if (set.kind !== 'iptables') continue;
    for (const table of set.tables.values()) {
      if (table.isWhole) staleChains += staleChainsOf(table).length;
      for (const chain of eachChain(table, sharedChains)) {
        if (isProxyChain(chain.name)) continue;
        foreignRules += linesOf(chain).filter((line) => !isProxyChain(targetName(line))).length;
      }
    }
  }
  const checked = dumpChecks(dump);
  const jumps = new Map(checked.flatMap(({ finding, about }) => (finding.code === 'K8N207' ? [[finding, about]] : [])));
  const own = checked.map(({ finding }) => finding);
  const absence = absenceFinding(dump);
  const findings =
    absence === undefined
      ? [
          ...foldJumps(own, (finding) => jumps.get(finding)),
          ...factFindings(dump),
          ...dump.iptables.flatMap((set) => [...settingChecks(set)]),
        ]
      : [...own.filter(({ code }) => aboutReading.has(code)), absence, ...syncChecks(dump)];
  const differ = new Set(
    findings.flatMap(({ service, services = [] }) => (service ? [service] : services).map(serviceOfPort)),
  );
  return {
    kind: 'diffReport',
    comparison: 'doctor',
    expectedName: '',
    foundName: dump.name,
    summary: {
      services,
      same: Math.max(0, services - differ.size),
      missing: 0,
      differ: differ.size,
      extra: 0,
      staleChains,
      foreignRules,
      ...(hasLostLines(dump) && { hasLostLines: true }),
    },
    findings,
    names: fixNamesOf(dump),
    changes: [],
    unread: dump.unread,
    notes: [...dump.notes, ...(hasSetsOnly(dump) ? [setsOnly] : proxySeen(dump).hidesServers ? [serversHidden] : [])],
  };
}

/** If something misled the person who took the dump, report it together with what the dump lacks. */
const aboutReading: ReadonlySet<string> = new Set(['K8N103', 'K8N110']);

function hasLostLines(dump: NodeRules): boolean {
  return everyTool(dump).some(({ tables }) => [...tables.values()].some(lacksLines));
}

function hasSetsOnly({ iptables, nft, ipvs, ipsets }: NodeRules): boolean {
  return ipsets.length > 0 && iptables.length + nft.length + ipvs.length === 0;
}

const setsOnly = 'only ipsets are in the dump: add what iptables-save and ipvsadm -Sn print to check Services';

const serversHidden =
  'what ipvsadm -Sn prints was not given, or only a part of it: where packets to Services go is unknown';

/** Compares connections, bridges and addresses, if given, with what the dump says about Services. */
function factFindings(dump: NodeRules): readonly Finding[] {
  const hasEndpoints = everyTool(dump).some(({ kind, tables }) => {
    if (kind === 'ipvs')
      return [...(tables.get('ipvs')?.chains.values() ?? [])].some((chain) => linesOf(chain).length > 1);
    return [...tables.values()].some(({ chains }) => findFirst(chains.keys(), isEndpointChain) !== undefined);
  });
  return [
    ...connectionFindings(dump),
    ...sysctlChecks(dump),
    ...mtuChecks(dump),
    ...syncChecks(dump),
    ...(hasEndpoints ? hairpinOff(dump) : []),
    ...ipvsAddresses(dump),
    ...withoutServers(dump),
  ];
}

function connectionFindings(dump: NodeRules): readonly Finding[] {
  if (dump.connections.length === 0) return [];
  return [
    ...stuckFlows(dump, dumpedFlowServices(dump, 'udp')),
    ...silentConnections(dump, dumpedFlowServices(dump, 'tcp')),
  ];
}

function virtualServers({ ipvs }: NodeRules): readonly RuleChain[] {
  return ipvs.flatMap(({ tables }) => [...(tables.get('ipvs')?.chains.values() ?? [])]);
}

/** K8N501: virtual servers that lead nowhere; K8N703: those that send nothing to some of their servers. */
function withoutServers(dump: NodeRules): readonly Finding[] {
  const servers = virtualServers(dump);
  const waiting = servers.flatMap((chain) => weightless(chain));
  const findings = waiting.length === 0 ? [] : [drained(waiting)];
  const empty = servers.filter(
    ({ content }) => content?.kind === 'virtualServer' && content.service.servers.length === 0,
  );
  if (empty.length === 0) return findings;
  const names = empty.slice(0, mostNamed).map(({ name }) => escapeText(name));
  const more = empty.length > mostNamed ? ` and ${empty.length - mostNamed} more` : '';
  const what = empty.length === 1 ? 'virtual server has' : 'virtual servers have';
  const seen = `${empty.length} ${what} no real server: ${names.join(', ')}${more}`;
  return [...findings, makeFinding('K8N501', { what: seen, found: empty.slice(0, mostNamed).flatMap(chainPlace) })];
}

interface Weightless {
  readonly name: string;
  readonly place: DumpPlace;
}

function weightless(chain: RuleChain): readonly Weightless[] {
  const { content } = chain;
  if (content?.kind !== 'virtualServer') return [];
  return content.service.servers.flatMap(({ ip, port, weight }, at): readonly Weightless[] =>
    weight === 0 ? [{ name: `${ipPort(ip, port)} of ${escapeText(chain.name)}`, place: placeOf(chain, at + 1) }] : [],
  );
}

/** K8N703: real servers that get no new connections. */
function drained(all: readonly Weightless[]): Finding {
  const names = all.slice(0, mostNamed).map(({ name }) => name);
  const more = all.length > mostNamed ? ` and ${all.length - mostNamed} more` : '';
  const seen = `${names.join(', ')}${more} ${all.length === 1 ? 'has' : 'have'} weight 0`;
  return makeFinding('K8N703', { what: seen, found: all.slice(0, mostNamed).map(({ place }) => place) });
}

const mostNamed = 20;
