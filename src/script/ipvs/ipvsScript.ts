import { type Cidr, parseCidr } from '../../common/addresses/cidr.ts';
import type { Family } from '../../common/addresses/family.ts';
import type { IpvsDialect } from '../../dialect/ipvs/ipvsDialect.ts';
import type { IpvsNode } from '../../emit/ipvs/emitIpvs.ts';
import { jumpRules } from '../../emit/ipvs/jumpRules.ts';
import type { IpvsConfig } from '../../model/proxyConfig.ts';
import { commandsOf } from '../../netfilter/ipset/applyCommands.ts';
import type { IpSet } from '../../netfilter/ipset/ast.ts';
import { canonicalMembers } from '../../netfilter/ipset/canonicalMember.ts';
import { printCommand } from '../../netfilter/ipset/command.ts';
import type { Chain, Ruleset } from '../../netfilter/iptables/ast.ts';
import { printRuleset } from '../../netfilter/iptables/print/print.ts';
import { printRule } from '../../netfilter/iptables/print/printRule.ts';
import { printIpvs } from '../../netfilter/ipvs/printIpvs.ts';
import { heredoc } from '../heredoc.ts';
import { shellPrelude } from '../shellPrelude.ts';
import { ipvsFunctions } from './ipvsFunctions.ts';
import { leftoverFunctions, leftoverNames } from './ipvsLeftovers.ts';

/** What the script needs to know besides the families it sets up. */
export interface ScriptSettings {
  readonly dialect: IpvsDialect;
  readonly config: IpvsConfig;
  readonly sysctls: readonly { readonly name: string; readonly value: string }[];
}

/**
 * A POSIX shell script that brings a node to the compiled state. It can be run again and again and then changes nothing;
 * it changes only what differs, so that connections to Services that stay go on; what may be refused comes before what
 * changes, and a failure puts back what was there. Manifest text stands only in quoted here-documents.
 */
export function* ipvsScript(
  nodes: readonly IpvsNode[],
  { dialect, config, sysctls }: ScriptSettings,
): Iterable<string> {
  yield shellPrelude("Brings this node to the state that kube-proxy's IPVS mode would leave.");
  const families = nodes.map(({ family }) => (family === 'ipv4' ? 'inet' : 'inet6'));
  yield `tools='${nodes.map(({ family }) => toolOf(family)).join(' ')}'\nfamilies='${families.join(' ')}'\n\n`;
  yield ipvsFunctions;
  yield leftoverFunctions;

  yield 'files ';
  yield* heredoc(data(nodes, dialect, config.excludeCIDRs));
  yield `\nload_modules ${modules(nodes).join(' ')}\n`;
  for (const { name, value } of sysctls) yield `setting ${name} ${value}\n`;
  yield '\nprepare_sets\n';
  if (nodes.some(({ saved }) => hasMarkDrop(saved)))
    yield `for tool in $tools; do chain "$tool" nat ${markDrop}; done\n`;
  yield `for tool in $tools; do prepare_rules "$tool"; done\nswap_sets\n`;
  yield `for tool in $tools; do load_rules "$tool"; done\n`;
  yield '\nadd_addresses\nchange_services\n';
  const timeouts = nodes[0]?.ipvs.timeouts;
  if (timeouts !== undefined) yield `timeouts ${timeouts.tcp} ${timeouts.tcpFin} ${timeouts.udp}\n`;
  yield `remove_addresses\n\ndone=yes\nremove_sets\nremove_leftovers\necho 'k8snet: the node is in the compiled state'\n`;
}

/** All files of the script's working folder, each behind a line with its name. */
function* data(nodes: readonly IpvsNode[], dialect: IpvsDialect, excluded: readonly string[]): Iterable<string> {
  yield* file('sets.want', setLines(nodes));
  yield* file(
    'ipvs.want',
    nodes.flatMap(({ ipvs }) => [...printIpvs({ kind: 'ipvs', services: ipvs.services })]),
  );
  yield* file(
    'addresses.want',
    nodes.flatMap(({ addresses }) => addresses.map((address) => `${address}\n`)),
  );
  yield* file('excluded', excluded.map(prefixBits));
  for (const { name, lines } of leftoverNames(nodes)) yield* file(name, lines);
  for (const { family, saved, restore } of nodes) {
    yield* file(`${toolOf(family)}.want`, ownLines(saved));
    yield* file(`${toolOf(family)}.jumps`, jumpLines(family, dialect));
    yield* file(`${toolOf(family)}.new`, printRuleset(ownChains(restore, saved), 'restore'));
  }
}

/** No printer makes a line that begins so; one that did would be a bug of ours, as with the end of a here-document. */
const fileMark = 'K8SNET_FILE ';

function* file(name: string, pieces: Iterable<string>): Iterable<string> {
  yield `${fileMark}${name}\n`;
  for (const piece of pieces) {
    if (piece.startsWith(fileMark) || piece.includes(`\n${fileMark}`)) {
      throw new Error('a generated text holds the line that begins a file of the script');
    }
    yield piece;
  }
}

function toolOf(family: Family): string {
  return family === 'ipv4' ? 'iptables' : 'ip6tables';
}

const markDrop = 'KUBE-MARK-DROP';

/** The chain, with what is in it, is kubelet's: it must exist, and nothing more. */
function hasMarkDrop({ tables }: Ruleset): boolean {
  return tables.some(({ chains }) => chains.some(({ name }) => name === markDrop));
}

function isOwn({ name, policy }: Chain): boolean {
  return policy === undefined && name !== markDrop;
}

/** What kube-proxy loads, with a line for every chain of its own, so that loading it again empties them first. */
function ownChains(restore: Ruleset, saved: Ruleset): Ruleset {
  const chainsOf = (table: string) => saved.tables.find(({ name }) => name === table)?.chains ?? [];
  return {
    ...restore,
    tables: restore.tables.map((table) => ({ ...table, chains: chainsOf(table.name).filter(isOwn) })),
  };
}

/** What the script finds in our chains once it has cut them out of iptables-save: chains in their order, then rules. */
function* ownLines({ family, tables }: Ruleset): Iterable<string> {
  for (const { name, chains } of tables) {
    yield `*${name}\n`;
    for (const chain of chains) if (isOwn(chain)) yield `:${chain.name} - [0:0]\n`;
  }
  for (const { name, chains, rules } of tables) {
    yield `*${name}\n`;
    for (const chain of chains) {
      if (!isOwn(chain)) continue;
      for (const rule of rules) if (rule.chain === chain.name) yield `${printRule(rule, 'save', family)}\n`;
    }
  }
}

/** As iptables-save prints them. */
function* jumpLines(family: Family, dialect: IpvsDialect): Iterable<string> {
  for (const name of ['nat', 'filter'] as const) {
    yield `*${name}\n`;
    for (const rule of jumpRules(name, dialect)) yield `${printRule(rule, 'save', family)}\n`;
  }
}

/**
 * Members as ipset shows them, since they are compared with that. Without bucketsize, which ipset before 7.12 does not
 * take; all others have it as their default.
 */
function* setLines(nodes: readonly IpvsNode[]): Iterable<string> {
  for (const { sets } of nodes) {
    for (const command of commandsOf({ ...sets, sets: sets.sets.map(asShown) })) {
      const options =
        command.kind === 'create' ? command.options.filter(({ name }) => name !== 'bucketsize') : undefined;
      yield `${printCommand(command.kind === 'create' && options ? { ...command, options } : command)}\n`;
    }
  }
}

function asShown(set: IpSet): IpSet {
  const members = new Set(set.members.flatMap(({ member }) => canonicalMembers(set.type, member)));
  return { ...set, members: [...members].map((member) => ({ member, options: [] })) };
}

function modules(nodes: readonly IpvsNode[]): readonly string[] {
  const schedulers = new Set(nodes.flatMap(({ ipvs }) => ipvs.services.map(({ scheduler }) => scheduler)));
  // The name comes from a configuration: only what can be a module's name reaches a command.
  const known = [...schedulers].filter((name) => /^[a-z0-9_]{1,15}$/.test(name)).sort();
  // What else is needed (dummy, xt_ipvs, the types of ipset) is loaded by whatever first uses it.
  return ['nf_conntrack', 'ip_vs', ...known.map((name) => `ip_vs_${name}`), 'ip_set', 'xt_set'];
}

/** The leading bits of an excluded network as a text of 0 and 1, which awk can compare; `4` or `6` in front. */
function prefixBits(text: string): string {
  const cidr: Cidr | undefined = parseCidr(text);
  if (cidr === undefined) return '';
  const bits = cidr.first.toString(2).padStart(cidr.family === 'ipv4' ? 32 : 128, '0');
  return `${cidr.family === 'ipv4' ? 4 : 6}${bits.slice(0, cidr.length)}\n`;
}
