import type { Family } from '../common/addresses/family.ts';
import { addTo } from '../common/addTo.ts';
import { pushAll } from '../common/pushAll.ts';
import { firstFew } from '../common/text/firstFew.ts';
import { parseIpset } from '../netfilter/ipset/parseIpset.ts';
import { parseIpvs } from '../netfilter/ipvs/parseIpvs.ts';
import type { ReportLine } from '../netfilter/lineProblem.ts';
import { ipsetRules, ipvsRules } from '../node/ipvsRules.ts';
import type { UnreadLine } from '../node/lines/unreadLine.ts';
import type { NodeRules, ToolRules } from '../node/nodeRules.ts';
import type { ProxyFacts } from '../node/proxyFacts.ts';
import { nodeRulesOf } from '../node/ruleKinds.ts';
import { withoutCutSets } from './cutSets.ts';
import type { DumpFile } from './dumpFile.ts';
import type { DumpKind } from './dumpKind.ts';
import { mergeAddresses, mergeRules, withBackends, withoutCopies, withoutListedCopies } from './mergeRules.ts';
import { plainIpText } from './network/ipJson.ts';
import { readAddresses } from './network/readAddresses.ts';
import { readBridge } from './network/readBridge.ts';
import { readConntrack } from './network/readConntrack.ts';
import { type NetworkPart, readNetwork } from './network/readNetwork.ts';
import { readRoutes } from './network/readRoutes.ts';
import { nothingShown } from './nothingShown.ts';
import { unwrapText } from './paste/unwrapText.ts';
import { readHealthz } from './proxy/readHealthz.ts';
import { readProxyMetrics } from './proxy/readProxyMetrics.ts';
import { readProxyMode } from './proxy/readProxyMode.ts';
import { readIptables } from './readIptables.ts';
import { readNft } from './readNft.ts';
import type { SoundLines } from './soundLines.ts';
import { splitKinds } from './splitKinds.ts';
import { wholeRuleset } from './wholeRuleset.ts';

export interface ReadOptions {
  /** The family of texts that do not show one. */
  readonly family?: Family | undefined;
  /** The node's name in reports. */
  readonly name: string;
  /** Lines that were readable in dumps of other nodes. */
  readonly sound?: SoundLines | undefined;
}

/**
 * Reads the files of one node. The texts show their kind, family and table; rules from several files are merged, and
 * two dumps of one table stand for two back ends. Nothing is dropped silently: lines that cannot be read are listed.
 */
export function readDumps(files: readonly DumpFile[], options: ReadOptions): NodeRules {
  const parts = newParts();
  for (const given of files) {
    const file = { ...given, text: unwrapText(plainIpText(given.text) ?? given.text) };
    const nothing = nothingShown(file, options.family);
    if (nothing === undefined) {
      pushAll(parts.empty, wholeRuleset(file));
      readFile(file, options, parts);
      continue;
    }
    for (const rules of nothing.sets) parts.empty.push(rules);
    if (nothing.isUnknown) parts.notes.push(`${file.name} is empty, and neither text nor name tells what printed it`);
  }
  mergeListed(parts);
  mergeAddresses(parts.rules, parts.addresses, parts.routed);
  for (const rules of parts.empty) {
    const isShown = parts.rules.some(({ kind, family }) => kind === rules.kind && family === rules.family);
    if (!isShown) parts.rules.push(rules);
  }
  noteHiddenAddresses(parts);
  noteListedIptables(parts);
  const { unread, notes, hiddenTables, legacyWarnings, chainsListedByNft, connections, bridgePorts } = parts;
  const { mode, ...said } = parts.proxy;
  const proxy = { ...said, ...(mode !== undefined && { mode }) };
  const network = readNetwork(parts.network, bridgePorts);
  const facts = {
    unread,
    notes,
    hiddenTables,
    legacyWarnings,
    chainsListedByNft,
    connections,
    bridgePorts,
    network,
    proxy,
  };
  const rules = withoutCutSets(withBackends(parts.rules), notes);
  return nodeRulesOf(options.name, withoutListedCopies(rules), facts);
}

/** Output of `iptables -L` counts if nothing shows the rules in full. */
function mergeListed({ rules, listed, notes }: Parts): void {
  const used = new Set<string>();
  for (const one of listed) {
    const left = withoutCopies(one, rules, notes);
    if (left.tables.size === 0) continue;
    mergeRules(rules, left, notes);
    for (const file of one.files) used.add(file);
  }
  for (const file of used) notes.push(`${file}: iptables -L leaves out parts of rules; iptables-save shows all`);
}

/**
 * If `route -n` comes from a node in IPVS mode, a note says that it does not show which addresses the kernel listens
 * on.
 */
function noteHiddenAddresses({ rules, network, notes }: Parts): void {
  const isShown = (kind: ToolRules['kind']) => rules.some((one) => one.kind === kind && one.family === 'ipv4');
  const table = network.find(({ kind, file }) => kind === 'routes' && /^Destination +Gateway/m.test(file.text));
  if (table === undefined || !isShown('ipvs') || isShown('addresses')) return;
  const name = table.file.name;
  notes.push(`${name} shows no addresses, so those of kube-ipvs0 are not compared: give \`ip route show table all\``);
}

/** Rules of iptables-nft that only nft shows: it leaves out parts of them. */
function noteListedIptables({ rules, listedByNft, notes }: Parts): void {
  const isSaved = (family: Family) =>
    rules.some((one) => one.kind === 'iptables' && one.family === family && one.backend !== 'legacy');
  for (const [file, families] of listedByNft) {
    const lacking = [...new Set(families)].filter((family) => !isSaved(family)).sort();
    if (lacking.length === 0) continue;
    const tools = lacking.map((family) => (family === 'ipv6' ? 'ip6tables-nft-save' : 'iptables-nft-save'));
    notes.push(
      `${file}: nft shows the rules of iptables-nft only in part: give what ${tools.join(' and ')} ${tools.length === 1 ? 'prints' : 'print'}`,
    );
  }
}

/** The content of the files read so far. */
function newParts() {
  return {
    rules: [] as ToolRules[],
    /** Output of `iptables -L`. */
    listed: [] as ToolRules[],
    addresses: [] as ToolRules[],
    /** Addresses that routes show. */
    routed: [] as ToolRules[],
    /** Kinds that a file shows to be empty. */
    empty: [] as ToolRules[],
    unread: [] as UnreadLine[],
    notes: [] as string[],
    hiddenTables: [] as NodeRules['hiddenTables'][number][],
    legacyWarnings: [] as NodeRules['legacyWarnings'][number][],
    chainsListedByNft: [] as NodeRules['chainsListedByNft'][number][],
    /** By file: the families for which it lists tables of iptables-nft. */
    listedByNft: new Map<string, Family[]>(),
    connections: [] as NodeRules['connections'][number][],
    bridgePorts: [] as NodeRules['bridgePorts'][number][],
    network: [] as NetworkPart[],
    proxy: { mode: undefined, health: [], syncs: [] } as ProxyParts,
  };
}

type Parts = ReturnType<typeof newParts>;

interface ProxyParts {
  mode: ProxyFacts['mode'] | undefined;
  readonly health: ProxyFacts['health'][number][];
  readonly syncs: ProxyFacts['syncs'][number][];
}

function readFile(file: DumpFile, { family, sound }: ReadOptions, parts: Parts): void {
  let lines: readonly string[] | undefined;
  const report: ReportLine = ({ line, word, message }) => {
    lines ??= file.text.split('\n');
    const text = lines[line - 1]?.slice(0, longestShown) ?? word ?? '';
    parts.unread.push({ file: file.name, line, text, message });
  };
  const kinds = file.kind ? [{ kind: file.kind, text: file.text }] : splitKinds(file.text);
  for (const { kind, text } of kinds) readers[kind]({ ...file, text, kind }, report, parts, family, sound);
}

const longestShown = 300;

type Reader = (
  part: DumpFile,
  report: ReportLine,
  parts: Parts,
  family: Family | undefined,
  sound: SoundLines | undefined,
) => void;

const readers: Readonly<Record<DumpKind, Reader>> = {
  iptables: (part, report, parts, family, sound) => {
    const read = readIptables(part, family, report, sound);
    for (const rules of read.sets) {
      if (rules.isLossy) parts.listed.push(rules);
      else mergeRules(parts.rules, withoutCopies(rules, parts.rules, parts.notes), parts.notes);
    }
    pushAll(parts.notes, read.notes);
    for (const hidden of read.hiddenTables) parts.hiddenTables.push(hidden);
    pushAll(parts.legacyWarnings, read.legacyWarnings);
  },
  nft: readNftPart,
  nftJson: readNftPart,
  nftTransaction: readNftPart,
  ipset: (part, report, { rules, notes }) => {
    const state = parseIpset(part.text, report);
    const cut = state.sets.filter(({ isCut }) => isCut).map(({ name }) => name);
    if (cut.length > 0)
      notes.push(`${part.name} does not show all members of ${firstFew(cut, 3)}: give what ipset save prints`);
    for (const one of ipsetRules(state, part.name)) mergeRules(rules, one);
  },
  ipvs: (part, report, { rules }) => {
    for (const one of ipvsRules(parseIpvs(part.text, report), part.name)) mergeRules(rules, one);
  },
  addresses: (part, report, { addresses, network }) => {
    network.push({ kind: 'addresses', file: part });
    for (const one of readAddresses(part, report)) addresses.push(one);
  },
  conntrack: (part, report, { connections }) => {
    for (const one of readConntrack(part, connections, report)) connections.push(one);
  },
  routes: (part, report, { routed, network }) => {
    network.push({ kind: 'routes', file: part });
    for (const one of readRoutes(part, report)) routed.push(one);
  },
  bridge: (part, report, { bridgePorts }) => {
    for (const one of readBridge(part, report)) bridgePorts.push(one);
  },
  sysctl: (file, _, { network }) => network.push({ kind: 'sysctl', file }),
  rules: (file, _, { network }) => network.push({ kind: 'rules', file }),
  facts: (file, _, { network }) => network.push({ kind: 'facts', file }),
  recent: (file, _, { network }) => network.push({ kind: 'recent', file }),
  modules: (file, _, { network }) => network.push({ kind: 'modules', file }),
  proxyMode: (part, report, { proxy }) => {
    proxy.mode = readProxyMode(part, report) ?? proxy.mode;
  },
  healthz: (part, report, { proxy }) => pushAll(proxy.health, readHealthz(part, report)),
  metrics: (part, _, { proxy }) => pushAll(proxy.syncs, readProxyMetrics(part)),
};

function readNftPart(part: DumpFile, report: ReportLine, parts: Parts): void {
  const read = readNft(part, report);
  for (const rules of read.sets) mergeRules(parts.rules, rules);
  for (const family of read.familiesOfIptables) addTo(parts.listedByNft, part.name, family);
  for (const chain of read.chainsListedByNft) parts.chainsListedByNft.push(chain);
}
