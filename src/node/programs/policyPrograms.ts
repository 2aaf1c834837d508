import { findFirst } from '../../common/findFirst.ts';
import { isPolicyChain, policyTable, policyTableName } from '../../netfilter/policyParts.ts';
import type { NodeRules } from '../nodeRules.ts';
import { everyTool } from '../ruleKinds.ts';
import { foreignOwner } from './foreignPrograms.ts';

/** Programs besides kube-router and k8snet that enforce policies, recognized by their chains and tables. */
export function policyPrograms(node: NodeRules): readonly string[] {
  const names = new Set<string>();
  for (const { tables } of everyTool(node)) {
    for (const table of tables.values()) {
      const [, program] = /^\S+ (calico|cali|cilium|antrea|kube-router)\b/.exec(table.name) ?? [];
      if (program !== undefined) names.add(tableOwners[program] as string);
      for (const chain of table.chains.keys()) {
        const owner = foreignOwner(chain);
        if (owner !== undefined && chainOwners.has(owner)) names.add(owner);
      }
    }
  }
  return [...names].sort();
}

const tableOwners: Readonly<Record<string, string>> = {
  calico: 'calico',
  cali: 'calico',
  cilium: 'cilium',
  antrea: 'antrea',
  'kube-router': 'kube-router for nftables',
};

/** Rules of policies that manifests can be compared with: ours, or kube-router's in iptables. */
export function holdsPolicyRules({ iptables, nft }: NodeRules): boolean {
  const holdsChains = iptables.some(({ tables }) =>
    findFirst(tables.get('filter')?.chains.keys() ?? [], isPolicyChain),
  );
  return holdsChains || nft.some(({ family, tables }) => tables.has(policyTable(family)));
}

/** Packets that it drops are packets that policies deny. */
export function enforcesPolicies(program: string): boolean {
  return chainOwners.has(program) || program === 'kube-router';
}

const chainOwners: ReadonlySet<string> = new Set([
  'calico',
  'cilium',
  'weave',
  'antrea',
  'azure',
  'ovn-kubernetes',
  'openshift-sdn',
]);

/** The rules of the node enforce policies: ours, or those of a program that does so by rules, and not as Cilium does by eBPF. */
export function enforcesByRules(node: NodeRules): boolean {
  return everyTool(node).some(({ tables }) =>
    [...tables.values()].some(
      ({ name, chains }) =>
        policyTables.test(name) ||
        (/(?:^| )filter$/.test(name) &&
          [...chains.keys()].some((chain) => isPolicyChain(chain) || byRules.has(foreignOwner(chain) ?? ''))),
    ),
  );
}

const byRules: ReadonlySet<string> = new Set(['calico', 'weave', 'azure']);

/** Names of nftables tables, behind their family. */
const policyTables = new RegExp(
  `^\\S+ (?:${policyTableName}|calico|cali|kube-router|kindnet-network-policies|kube-network-policies)\\b`,
);
