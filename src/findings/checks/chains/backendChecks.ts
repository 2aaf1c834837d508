import { findFirst } from '../../../common/findFirst.ts';
import { escapeText } from '../../../common/text/escapeText.ts';
import {
  isIpvsChain,
  isKubeName,
  isProxyTable,
  isServiceChain,
  serviceChainKind,
} from '../../../netfilter/proxyChains.ts';
import { eachChain, sharedChains } from '../../../node/chains/eachChain.ts';
import { hasWholeTable } from '../../../node/hasWholeTable.ts';
import { chainPlace, type DumpPlace, hasLines, linesOf } from '../../../node/lines/chainLines.ts';
import type { NodeRules, ToolRules } from '../../../node/nodeRules.ts';
import type { RuleChain } from '../../../node/ruleChain.ts';
import type { FindingCode } from '../../../problems/problemCode.ts';
import { type FindingParts, makeFinding } from '../../makeFinding.ts';
import type { DumpFinding } from '../dumpFinding.ts';

/** 1xx and mixed modes: what several rule sets of one node show together. */
export function backendChecks(dump: NodeRules): readonly DumpFinding[] {
  const found: DumpFinding[] = [];
  const add = (id: FindingCode, parts: FindingParts) => found.push({ finding: makeFinding(id, parts) });
  const sets = dump.iptables;
  for (const family of ['ipv4', 'ipv6'] as const) {
    const own = sets.filter((set) => set.family === family);
    const withServices = own.filter(hasServices);
    if (withServices.length > 1) {
      add('K8N101', {
        what: `KUBE-SVC and KUBE-SERVICES rules are in ${withServices.map(nameOf).join(' and ')}`,
        found: withServices.flatMap((set) => placesOf(set, 'KUBE-SERVICES')),
        ...(areOfOneNode(withServices) ? {} : ofTwoNodes),
      });
    }
    const hinted = own.filter((set) => !hasServices(set) && hasChain(set, isKubeletChain));
    const holder = withServices[0];
    if (holder !== undefined && hinted[0] !== undefined && !hasChain(holder, (name) => name === 'KUBE-IPTABLES-HINT')) {
      add('K8N108', {
        what: `kubelet wrote to ${nameOf(hinted[0])}, kube-proxy to ${nameOf(holder)}`,
        found: placesOf(hinted[0], 'KUBE-IPTABLES-HINT'),
      });
    }
  }
  for (const { table, file, line } of dump.hiddenTables) {
    add('K8N103', { what: `iptables-save could not show the table ${table}`, found: [{ file, line }] });
  }
  // The warning appears as soon as the modules of the legacy back end are loaded: its tables may be empty.
  if (dump.legacyWarnings.length > 0 && !sets.some(({ backend }) => backend === 'legacy')) {
    add('K8N103', { ...legacyTables, found: dump.legacyWarnings });
  }
  const nft = nftTable(dump);
  for (const set of sets) {
    const ipvs = chainOfSet(set, isIpvsChain);
    const cilium = chainOfSet(set, (name) => name.startsWith('CILIUM_'));
    const other = ipvs ? `chain ${ipvs.name} of IPVS mode` : nft && `table ${nft.name} of nftables mode`;
    const svc = other !== undefined || cilium !== undefined ? chainOfService(set) : undefined;
    if (svc !== undefined && other !== undefined) {
      add('K8N211', {
        what: `${other} beside ${escapeText(svc.name)} of iptables mode`,
        found: [...(ipvs ? chainPlace(ipvs) : (nft?.place ?? [])), ...chainPlace(svc)],
      });
    }
    if (svc !== undefined && cilium !== undefined) {
      add('K8N605', {
        what: `chains of Cilium (${escapeText(cilium.name)}) beside ${escapeText(svc.name)}`,
        found: chainPlace(cilium),
      });
    }
  }
  const listed = dump.chainsListedByNft.find(({ name }) => isServiceChain(name));
  // A save of the same rules gives the same finding, with its own lines.
  if (listed !== undefined && nft !== undefined && !sets.some((set) => chainOfService(set) !== undefined)) {
    add('K8N211', {
      what: `table ${nft.name} of nftables mode beside ${escapeText(listed.name)} of iptables mode`,
      found: [...nft.place, ...chainPlace(listed)],
    });
  }
  const mesh = sets.flatMap((set) => chainOfSet(set, (name) => name.startsWith('ISTIO_')) ?? [])[0];
  // One chain of a node says nothing about the others.
  if (mesh !== undefined && hasWholeTable(sets) && !sets.some(hasKubeChain)) {
    add('K8N106', {
      what: `chain ${escapeText(mesh.name)} and no chain of kube-proxy or kubelet`,
      found: chainPlace(mesh),
    });
  }
  return found;
}

const legacyTables = {
  severity: 'warning',
  isAdvice: true,
  what: 'iptables warns that tables of iptables-legacy are present, which this dump does not show',
  why: 'The kernel applies the rules of both back ends. If the legacy tables hold rules, they work beside those of the dump; they may also be empty.',
  fix: 'Save them too, and give both dumps: `iptables-legacy-save > node1.legacy.save`.',
} as const;

/**
 * A kernel holds one rule set for each back end and family; a text that does not name its back end may come from
 * another node.
 */
function areOfOneNode(sets: readonly ToolRules[]): boolean {
  return new Set(sets.flatMap(({ backend }) => backend ?? [])).size === sets.length;
}

const ofTwoNodes = {
  why: 'These may be dumps of two nodes, or of one node at two times: nothing in them shows that one is of iptables-legacy and the other of iptables-nft. If they are, both rule sets are in force on this node.',
  fix: 'Compare dumps of several nodes or times with `k8snet diff --nodes A B`, or `k8snet diff OLD NEW`. If all of them are of this node, save each variant under its name: `iptables-legacy-save > node1.legacy.save`, `iptables-nft-save > node1.nft.save`.',
} as const;

/** kube-proxy's table in nftables mode, unless it is empty. */
function nftTable({ nft }: NodeRules): { readonly name: string; readonly place: readonly DumpPlace[] } | undefined {
  for (const { tables } of nft) {
    for (const { name, chains } of tables.values()) {
      const [first] = chains.values();
      if (isProxyTable(name) && first !== undefined) return { name, place: chainPlace(first) };
    }
  }
  return undefined;
}

function hasServices(set: ToolRules): boolean {
  return [...set.tables.values()].some(
    ({ name, chains }) => name === 'nat' && (linesOf(chains.get('KUBE-SERVICES')).length ?? 0) > 0,
  );
}

function isKubeletChain(name: string): boolean {
  return name === 'KUBE-IPTABLES-HINT' || name === 'KUBE-KUBELET-CANARY';
}

function hasKubeChain(set: ToolRules): boolean {
  return hasChain(set, isKubeName) || chainOfService(set) !== undefined;
}

function hasChain(set: ToolRules, isWanted: (name: string) => boolean): boolean {
  return chainOfSet(set, isWanted) !== undefined;
}

/** A chain that does not belong to a single Service. */
function chainOfSet(set: ToolRules, isWanted: (name: string) => boolean): RuleChain | undefined {
  for (const table of set.tables.values()) {
    for (const chain of eachChain(table, sharedChains)) {
      if (isWanted(chain.name) && (hasLines(chain) || !isServiceChain(chain.name))) return chain;
    }
  }
  return undefined;
}

function chainOfService(set: ToolRules): RuleChain | undefined {
  for (const table of set.tables.values()) {
    const chains = eachChain(table, { kinds: (kind) => kind === 'balance' });
    const found = findFirst(chains, (chain) => serviceChainKind(chain.name) === 'balance' && hasLines(chain));
    if (found !== undefined) return found;
  }
  return undefined;
}

function placesOf(set: ToolRules, name: string) {
  for (const { chains } of set.tables.values()) {
    const chain = chains.get(name);
    if (chain) return chainPlace(chain);
  }
  return [];
}

function nameOf(set: ToolRules): string {
  const program = set.backend === undefined ? 'iptables' : `iptables-${set.backend}`;
  return `${program} (${set.files.map(escapeText).join(', ')})`;
}
