import { addTo } from '../common/addTo.ts';
import { compareBytes } from '../common/compareBytes.ts';
import type { Rule } from '../netfilter/iptables/ast.ts';
import { commentOf, hasWord, jumpOf, matchOf, portsAsked } from '../netfilter/iptables/ruleParts.ts';
import { isPolicySet, policyChainKind, renamePolicyParts } from '../netfilter/policyParts.ts';
import type { PlacedLine } from '../node/lines/placedLines.ts';
import type { PolicyRule } from './pickPolicyRules.ts';
import type { RuleChange } from './ruleChange.ts';

/** Policy rules in iptables, with names by the purpose of chains, in an order that two runs share. */
export interface PolicyRoles {
  /** The rules of each chain, by its role. */
  readonly chains: ReadonlyMap<string, readonly PlacedLine[]>;
  /**
   * The roles of a chain or a set, by its name. kube-router's sets have the same names in every run, except those of
   * named ports; in the strict layout sets are named after their contents, and one may serve several policies.
   */
  readonly roles: ReadonlyMap<string, readonly string[]>;
  /** The chains whose rules ask a set, by the role that it has there. */
  readonly askers: ReadonlyMap<string, ReadonlySet<string>>;
  /** The first policy that uses a set. */
  readonly setOwners: ReadonlyMap<string, string>;
}

/**
 * Removes what kube-router varies between two runs: the sync version in chain names, the numbering of named-port sets,
 * the order in which a Go map lists Pods, policies and ports. Chains are identified by the comments of rules that lead
 * to
 * them. `hasContentNames`: the rules have the strict layout, which names sets after their contents.
 */
export function policyRoles(rules: readonly PolicyRule[], hasContentNames: boolean): PolicyRoles {
  const names = new Map<string, string>();
  const setOwners = new Map<string, string>();
  for (const { rule } of rules) {
    nameByComment(rule, names);
    const owner = /^(\S+) (?:ingress|egress) /.exec(commentOf(rule) ?? '')?.[1];
    if (owner === undefined) continue;
    for (const { set } of setsAsked(rule)) if (!setOwners.has(set)) setOwners.set(set, owner);
  }
  for (const { rule } of rules) nameByJump(rule, names);
  const roles = new Map<string, Set<string>>();
  for (const [name, role] of names) {
    // Several policies may use a set that is named after its contents: each rule that does tells its role.
    if (!hasContentNames || !isPolicySet(name)) roles.set(name, new Set([role]));
  }
  const setRole = hasContentNames ? contentSetRoles() : (_: Rule, set: string) => names.get(set);
  const chains = new Map<string, PolicyRule[]>();
  const askers = new Map<string, Set<string>>();
  for (const { text, place, rule } of rules) {
    const rename = (name: string) => {
      const isSet = isPolicySet(name);
      const role = isSet ? setRole(rule, name) : names.get(name);
      if (role === undefined) return name;
      if (isSet) askers.set(role, (askers.get(role) ?? new Set()).add(rule.chain));
      const known = roles.get(name);
      if (known === undefined) roles.set(name, new Set([role]));
      else known.add(role);
      return role;
    };
    const renamed = renamePolicyParts(text, rename);
    const own = place === undefined ? { text: renamed, rule } : { text: renamed, place, rule };
    addTo(chains, names.get(rule.chain) ?? rule.chain, own);
  }
  for (const [role, own] of chains) chains.set(role, sortRuns(own));
  return { chains, roles: new Map([...roles].map(([name, own]) => [name, [...own]])), askers, setOwners };
}

/**
 * Roles of sets that are named after their contents: the purpose of the rule that uses them, and which set of such
 * rules it is.
 */
function contentSetRoles(): (rule: Rule, set: string) => string | undefined {
  const ordinals = new Map<string, string[]>();
  return (rule, set) => {
    const purpose = commentOf(rule) ?? '';
    const isOfSources = setsAsked(rule).some((asked) => asked.set === set && asked.sides[0] === 'src');
    const side = isOfSources ? 'SRC' : 'DST';
    const [port] = purpose.endsWith(' np') && !isOfSources ? portsAsked(rule) : [];
    const kind = `KUBE-${side} (${purpose}${port === undefined ? '' : ` ${port}`}`;
    const known = ordinals.get(kind) ?? [];
    ordinals.set(kind, known);
    if (!known.includes(set)) known.push(set);
    const at = known.indexOf(set);
    return `${kind}${at === 0 ? '' : `, ${at + 1}`})`;
  };
}

/** Names a Pod's chain, a policy's own chain and the set of a named port after what their rules say. */
function nameByComment(rule: Rule, names: Map<string, string>): void {
  const comment = commentOf(rule) ?? '';
  const jump = jumpOf(rule) ?? '';
  const pod = /^(\S+) (?:in|out)$/.exec(comment)?.[1];
  if (pod !== undefined && policyChainKind(jump) === 'pod') names.set(jump, `KUBE-POD-FW (${pod})`);
  const [, policy, direction] = /^(\S+) (ingress|egress) /.exec(comment) ?? [];
  if (policy !== undefined && policyChainKind(rule.chain) === 'policy') {
    const known = names.get(rule.chain);
    const isBoth = known !== undefined && !known.endsWith(` ${direction})`);
    names.set(rule.chain, `KUBE-NWPLCY (${policy}${isBoth ? '' : ` ${direction}`})`);
  }
  const ports = setsAsked(rule).at(-1);
  const transport = matchOf(rule, 'transport');
  if (!comment.endsWith(' np') || transport?.destinationPort === undefined || ports?.sides.join() !== 'dst') return;
  names.set(ports.set, `KUBE-DST (${comment} ${transport.protocol} ${transport.destinationPort})`);
}

/** The Pod (`namespace/name`) that a rule with such names is for, or leads to the chain of. */
export function podOfRole({ chain, found = '' }: Pick<RuleChange, 'chain' | 'found'>): string | undefined {
  return (/^KUBE-POD-FW \((.+)\)$/.exec(chain) ?? / -j KUBE-POD-FW \((.+)\)$/.exec(found))?.[1];
}

/** The jump to a policy's chain identifies it if it has no rules. */
function nameByJump(rule: Rule, names: Map<string, string>): void {
  const jump = jumpOf(rule) ?? '';
  const policy = /^(\S+) policy$/.exec(commentOf(rule) ?? '')?.[1];
  const isOfPod = policyChainKind(rule.chain) === 'pod' && policyChainKind(jump) === 'policy';
  if (policy === undefined || !isOfPod || names.has(jump)) return;
  const direction = hasWord(rule, 'destination') ? ' ingress' : hasWord(rule, 'source') ? ' egress' : '';
  names.set(jump, `KUBE-NWPLCY (${policy}${direction})`);
}

function setsAsked({ words }: Rule) {
  return words.filter((word) => word.kind === 'set');
}

/** Sorts neighboring rules that a map lists in random order; all others stay in their places. */
function sortRuns(rules: readonly PolicyRule[]): PolicyRule[] {
  const sorted: PolicyRule[] = [];
  let run: PolicyRule[] = [];
  let runKind: string | undefined;
  const endRun = () => {
    for (const rule of run.sort((one, other) => compareBytes(one.text, other.text))) sorted.push(rule);
    run = [];
  };
  for (const rule of rules) {
    const kind = kindOf(rule.rule);
    if (kind === undefined || kind !== runKind) endRun();
    runKind = kind;
    run.push(rule);
  }
  endRun();
  return sorted;
}

function kindOf(rule: Rule): string | undefined {
  const comment = commentOf(rule) ?? '';
  if (jumpOf(rule) !== undefined) {
    if (/^\S+ (?:in|out)$/.test(comment)) return 'pods';
    if (/^\S+ policy$/.test(comment)) return 'policies';
  }
  return comment.endsWith(' np') ? comment : undefined;
}
