import type { Family } from '../../../common/addresses/family.ts';
import { escapeText } from '../../../common/text/escapeText.ts';
import type { Rule } from '../../../netfilter/iptables/ast.ts';
import { isKubeName } from '../../../netfilter/proxyChains.ts';
import { chainPlace, hasLines, linesOf, placeOf } from '../../../node/lines/chainLines.ts';
import type { RuleTable, ToolRules } from '../../../node/nodeRules.ts';
import { pickRules } from '../../../node/pickRules.ts';
import type { RuleChain } from '../../../node/ruleChain.ts';
import { rulesOf, targetName } from '../../../node/rulesOf.ts';
import { type FindingParts, makeFinding } from '../../makeFinding.ts';
import type { DumpFinding } from '../dumpFinding.ts';
import { chainAcceptsPods, ruleAcceptsPods, ruleAcceptsServices, ruleMeetsPods } from './acceptsPods.ts';

/**
 * K8N504: what keeps forwarded packets from Pods. If the dump counts what the policy dropped, the loss is proven. The
 * finding is milder for a cut table: an ACCEPT may be missing.
 */
export function* forwardChecks(set: ToolRules): Iterable<DumpFinding> {
  const mangle = set.tables.get('mangle');
  const mangled = mangle?.chains.get('FORWARD');
  if (mangle?.isWhole && mangled && drops(mangled, set)) {
    const seen = `the policy of FORWARD in the table mangle is DROP${loss(mangled)}: nothing is forwarded`;
    yield stopped(mangled, set, { what: seen, fix: `\`${toolOf(set)} -t mangle -P FORWARD ACCEPT\`.` });
  }
  const filter = set.tables.get('filter');
  const forward = filter?.chains.get('FORWARD');
  if (filter === undefined || forward === undefined || isUnused(set)) return;
  if (!isOfProxy(set, filter, forward)) {
    if (isListedAlone(set, forward) && drops(forward, set))
      yield stopped(forward, set, { what: unlessAccepted(forward), severity: 'warning' });
    return;
  }
  const isSure = filter.isWhole || (filter.hasWholeChains === true && !leadsOut(filter, forward));
  if (drops(forward, set) && (isSure || filter.hasWholeChains === true || isShownToEnd(filter, forward))) {
    yield isSure && !maySpare(forward, set)
      ? stopped(forward, set, { what: seenOf(forward) })
      : stopped(forward, set, { what: unlessAccepted(forward, maySpare(forward, set)), severity: 'warning' });
  }
  // Rules keep their order even in a part of a table.
  if (hasKubeJump(forward)) yield* refused(set, filter, forward);
}

/**
 * A rule leads to a chain that the dump does not show and that is not kube-proxy's: it is unknown what that chain
 * accepts.
 */
function leadsOut({ chains }: RuleTable, forward: RuleChain): boolean {
  return linesOf(forward).some((line) => {
    const target = targetName(line);
    return !chains.has(target) && !isKubeName(target) && !verdicts.has(target);
  });
}

const verdicts: ReadonlySet<string> = new Set(['', 'ACCEPT', 'DROP', 'REJECT', 'RETURN', 'LOG', 'MARK', 'CONNMARK']);

function stopped(chain: RuleChain, set: ToolRules, parts: FindingParts): DumpFinding {
  const tool = toolOf(set);
  const fix = `\`${tool} -P FORWARD ACCEPT\`, or accept the Pods’ traffic: \`${tool} -A FORWARD -s POD-RANGE -j ACCEPT\` and the same with -d.`;
  return { finding: makeFinding('K8N504', { fix, found: chainPlace(chain), ...parts }) };
}

function toolOf({ family }: ToolRules): string {
  return family === 'ipv6' ? 'ip6tables' : 'iptables';
}

/** kube-proxy writes its fixed IPv6 chains on every node that has ip6tables, even if no Pod has an IPv6 address. */
function isUnused({ family, tables }: ToolRules): boolean {
  const nat = tables.get('nat');
  if (family === 'ipv4' || !nat?.isWhole || !nat.chains.has('KUBE-SERVICES')) return false;
  const services = [nat, tables.get('filter')].flatMap((table) => table?.chains.get('KUBE-SERVICES') ?? []);
  return !services.some((chain) => linesOf(chain).some((line) => /(?<!!) -d /.test(line)));
}

function drops(chain: RuleChain, set: ToolRules): boolean {
  const isBlank = (rule: Rule) => isBlankAccept(rule, set);
  if (chain.policy !== 'DROP' || chainAcceptsPods(chain, set.family, (rule) => !isBlank(rule))) return false;
  return !othersAcceptPods(chain, set, isBlank);
}

/**
 * An ACCEPT without conditions: this is how `iptables -L` without -v shows Docker's rules, which are for its own
 * interfaces.
 */
function isBlankAccept({ words, target }: Rule, { hidesInterfaces }: ToolRules): boolean {
  return hidesInterfaces === true && words.length === 0 && target?.kind === 'jump' && target.chain === 'ACCEPT';
}

function maySpare(chain: RuleChain, set: ToolRules): boolean {
  return set.hidesInterfaces === true && rulesOf(chain, set.family).some((rule) => isBlankAccept(rule, set));
}

function seenOf(forward: RuleChain): string {
  const lost = hasKubeJump(forward) ? 'packets to Pods that carry no mark are lost' : 'packets to Pods are lost';
  return `the policy of FORWARD is DROP${loss(forward)}: ${lost}`;
}

function unlessAccepted(forward: RuleChain, isForInterface = false): string {
  const which = isForInterface
    ? 'an ACCEPT is for their interfaces, which iptables -L shows with -v only'
    : 'a rule that the dump does not show accepts them';
  return `${seenOf(forward)}, unless ${which}`;
}

/** `iptables -L FORWARD` of a node: Docker's chains and no others. */
function isListedAlone(set: ToolRules, forward: RuleChain): boolean {
  const isAlone = set.tables.size === 1 && set.tables.get('filter')?.hasWholeChains === true;
  return isAlone && (maySpare(forward, set) || linesOf(forward).some((line) => isDockers(targetName(line))));
}

function isDockers(chain: string): boolean {
  return chain.startsWith('DOCKER');
}

/** How many packets the policy has dropped, if the dump counts them. */
function loss({ policyPackets: packets }: RuleChain): string {
  if (packets === undefined || packets === 0) return '';
  return ` and has dropped ${packets.toLocaleString('en-US')} ${packets === 1 ? 'packet' : 'packets'}`;
}

/** kube-proxy writes to this back end. Through 1.8 it leaves FORWARD alone. */
function isOfProxy({ tables }: ToolRules, filter: RuleTable, forward: RuleChain): boolean {
  return (
    hasKubeJump(forward) ||
    tables.get('nat')?.chains.has('KUBE-SERVICES') === true ||
    filter.chains.has('KUBE-SERVICES') ||
    filter.chains.has('KUBE-FIREWALL')
  );
}

function hasKubeJump(forward: RuleChain): boolean {
  return linesOf(forward).some((line) => isKubeName(targetName(line)));
}

/**
 * For a cut table: rules lead to chains that were not listed (`iptables -L FORWARD`), or the text continues after the
 * chain: rules come in the order in which their chains are declared. Those of chains that it leads to may be lost then. If
 * lines in between were left out (`...`) or could not be read, nothing is known.
 */
function isShownToEnd({ cut, isUnfinished, hasLostLines, chains }: RuleTable, forward: RuleChain): boolean {
  if (cut === undefined) return false;
  if (!isUnfinished) return !hasLostLines;
  if (linesOf(forward).some((line) => !isKubeName(targetName(line)) && !verdicts.has(targetName(line)))) return false;
  const last = (chain: RuleChain) => placeOf(chain, linesOf(chain).length - 1).line;
  const isBehind = hasLines(forward)
    ? (chain: RuleChain) => last(chain) > last(forward)
    : (chain: RuleChain) => chain.declaredAt > forward.declaredAt;
  return [...chains.values()].some((chain) => hasLines(chain) && isBehind(chain));
}

/**
 * KUBE-FORWARD accepts marked packets and replies: a rejection after it stops everything else that no earlier rule
 * accepts.
 */
function* refused(set: ToolRules, filter: RuleTable, forward: RuleChain): Iterable<DumpFinding> {
  const rules = rulesOf(forward, set.family);
  const own = rules.findIndex(({ target }) => target?.kind === 'jump' && target.chain === 'KUBE-FORWARD');
  const tool = toolOf(set);
  const fix = `Take that rule out in the program that writes it, or accept the Pods’ traffic before it: \`${tool} -I FORWARD -s POD-RANGE -j ACCEPT\` and the same with -d.`;
  let mayPass = false;
  for (const [at, rule] of rules.entries()) {
    const isBehind = own !== -1 && at > own;
    if (isBehind && !filter.isWhole) return;
    if (ruleAcceptsPods(rule, set.family)) return;
    mayPass ||= ruleAcceptsServices(rule, set.family) || leadsToAccept(rule, filter, set.family);
    if (isBehind && mayPass) return;
    if (!refuses(rule) || !isWide(rule)) continue;
    const line = escapeText(linesOf(forward)[at] as string);
    const seen = isBehind
      ? `FORWARD has ${line}, and nothing before it accepts Pods${lossOf(forward, at)}: their packets that carry no mark are lost`
      : `FORWARD has ${line} before KUBE-FORWARD${lossOf(forward, at)}`;
    yield { finding: makeFinding('K8N504', { what: seen, fix, found: [placeOf(forward, at)] }) };
    if (isBehind) return;
  }
}

/**
 * FORWARD leads packets of Pods to a chain of another program that accepts some of them, like ufw's if routes were
 * allowed. Docker's own chains are for its networks.
 */
function othersAcceptPods(
  { name }: RuleChain,
  { tables, family }: ToolRules,
  isBlank: (rule: Rule) => boolean,
): boolean {
  const chains = tables.get('filter')?.chains;
  if (name !== 'FORWARD' || chains === undefined) return false;
  const seen = new Set([name]);
  for (const one of seen) {
    for (const { rule } of pickRules(chains.get(one), family, {})) {
      if (one !== name && !isBlank(rule) && ruleAcceptsPods(rule, family)) return true;
      const { target } = rule;
      const next = target?.kind === 'jump' ? target.chain : '';
      if (!chains.has(next) || isKubeName(next) || (isDockers(next) && next !== 'DOCKER-USER')) continue;
      if (ruleMeetsPods(rule, family)) seen.add(next);
    }
  }
  return false;
}

/** New connections may be accepted after the rule: the purpose of other programs' chains is not judged. */
function leadsToAccept({ target }: Rule, table: RuleTable, family: Family, seen = new Set<string>()): boolean {
  if (target?.kind !== 'jump') return false;
  const name = target.chain;
  const chain = table.chains.get(name);
  if (chain === undefined || isKubeName(name) || seen.has(name)) return false;
  seen.add(name);
  return rulesOf(chain, family).some(
    (rule) => ruleAcceptsServices(rule, family) || leadsToAccept(rule, table, family, seen),
  );
}

function lossOf({ packets }: RuleChain, at: number): string {
  const count = packets?.[at] ?? 0;
  return count === 0
    ? ''
    : `, which has stopped ${count.toLocaleString('en-US')} ${count === 1 ? 'packet' : 'packets'}`;
}

function refuses(rule: Rule): boolean {
  return rule.target?.kind === 'reject' || (rule.target?.kind === 'jump' && rule.target.chain === 'DROP');
}

/** It matches new connections of everybody: no state, no port, no single address. */
function isWide({ words }: Rule): boolean {
  return words.every(
    (word) => word.kind === 'comment' || (word.kind === 'protocol' && (word.negated || transports.has(word.protocol))),
  );
}

const transports: ReadonlySet<string> = new Set(['tcp', 'udp', 'all']);
