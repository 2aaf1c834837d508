import { memoized } from '../../common/memoized.ts';
import type { NftChain, NftRule, Statement } from '../../netfilter/nft/ast.ts';
import { setsNamed } from '../../netfilter/nft/setsNamed.ts';
import { isProxyTable } from '../../netfilter/proxyChains.ts';
import { eachChain } from '../../node/chains/eachChain.ts';
import type { RuleTable, ToolRules } from '../../node/nodeRules.ts';
import { isPodShortcut } from '../names/isPodShortcut.ts';
import { type MasqueradeVotes, settledVotes } from './masqueradeVotes.ts';
import type { SeenDetector, SeenSettings } from './seenSettings.ts';

/** Settings of nftables mode. */
export const nftSettings = memoized(({ tables, family }: ToolRules): SeenSettings => {
  const settings: SeenSettings = { family };
  for (const table of tables.values()) if (isProxyTable(table.name)) readTable(table, settings);
  return settings;
});

function readTable(table: RuleTable, settings: SeenSettings): void {
  for (const name of ['mark-for-masquerade', 'masquerading']) {
    for (const statement of rulesOf(table, name).flatMap(({ statements }) => statements)) {
      if (statement.kind === 'assign') settings.mark ??= Number(statement.value);
    }
  }
  if (table.chains.has('map service-ips')) settings.nodePorts = nodePortsOf(table);
  settings.serviceCIDRs ??= unallocatedRanges(rulesOf(table, 'cluster-ips-check'));
  const forward = rulesOf(table, 'forward');
  if (forward.length > 0) settings.isLiberal = false;
  else if (table.chains.has('forward')) settings.isLiberal = true;
  const { detector, masqueradesAll } = settledVotes(votesIn(table));
  settings.detector ??= detector;
  settings.masqueradesAll ??= masqueradesAll;
}

/** The rule that drops what goes to no Service, whatever its comment says. */
function unallocatedRanges(rules: NftChain['rules']): readonly string[] | undefined {
  for (const { statements } of rules) {
    const [match, verdict] = statements.filter(({ kind }) => kind !== 'counter');
    if (verdict?.kind !== 'verdict' || verdict.verdict.kind !== 'drop') continue;
    if (match?.kind !== 'match' || !isDestination(match) || match.operator !== '==') continue;
    const { right } = match;
    if (right.kind === 'value') return [...right.key];
    if (right.kind === 'anonymousSet') return right.elements.flat();
  }
  return undefined;
}

/** All Services are alike, so a few of them are enough. */
function votesIn(table: RuleTable): MasqueradeVotes {
  const votes: MasqueradeVotes = { clusterIPs: [], pods: [] };
  const asked = { services: 0, external: 0 };
  for (const { name } of eachChain(table, { kinds: (kind) => kind !== 'endpoint' })) {
    if (!/^(?:services$|(?:service|local|external)-[A-Z0-9]{8}-)/.test(name)) continue;
    const side = name.startsWith('external-') ? 'external' : 'services';
    if (asked[side] >= mostChains) continue;
    asked[side] += 1;
    for (const rule of rulesOf(table, name)) readRule(rule, name, votes);
    if (asked.services >= mostChains && asked.external >= mostChains) break;
  }
  return votes;
}

const mostChains = 50;

/** Undefined: a rule asks for a set that is not shown, or the rules that might are not shown. */
function nodePortsOf(table: RuleTable): SeenSettings['nodePorts'] {
  const content = table.chains.get('set nodeport-ips')?.content;
  if (content?.kind !== 'nftSet') {
    const rules = rulesOf(table, 'services');
    const asksSet = rules.some(({ statements }) => statements.some((one) => setsNamed(one).includes('nodeport-ips')));
    return asksSet || rules.length === 0 ? undefined : { kind: 'any', excludesLoopback: true };
  }
  return { kind: 'addresses', addresses: content.set.elements.map(({ key: [ip = ''] }) => ip) };
}

function rulesOf(table: RuleTable, chain: string): NftChain['rules'] {
  const content = table.chains.get(chain)?.content;
  return content?.kind === 'nftChain' ? content.chain.rules : [];
}

/** Chains of external traffic pass traffic of local Pods on; the others mark all other traffic. */
function readRule({ statements, comment }: NftRule, chain: string, { clusterIPs, pods }: MasqueradeVotes): void {
  if (chain.startsWith('external-')) {
    const detector = isPodShortcut(comment) ? detectorIn(statements, '==') : undefined;
    if (detector !== undefined) pods.push(detector);
    return;
  }
  const isForClusterIP = statements.some((one) => one.kind === 'match' && isDestination(one));
  if (isForClusterIP && statements.some(isMarking))
    clusterIPs.push({ service: chain, detector: detectorIn(statements, '!=') });
}

function isDestination({ left }: Extract<Statement, { kind: 'match' }>): boolean {
  return left.kind === 'payload' && left.field === 'daddr';
}

function isMarking(statement: Statement): boolean {
  if (statement.kind === 'assign') return true;
  return (
    statement.kind === 'verdict' && 'chain' in statement.verdict && statement.verdict.chain === 'mark-for-masquerade'
  );
}

function detectorIn(statements: readonly Statement[], operator: '==' | '!='): SeenDetector | undefined {
  for (const statement of statements) {
    if (statement.kind !== 'match' || statement.operator !== operator || statement.right.kind !== 'value') continue;
    const [value = ''] = statement.right.key;
    const { left } = statement;
    if (left.kind === 'payload' && left.field === 'saddr') return { kind: 'cidr', cidr: value };
    if (left.kind === 'meta' && (left.key === 'iif' || left.key === 'iifname')) {
      return value.endsWith('*') ? { kind: 'prefix', prefix: value.slice(0, -1) } : { kind: 'bridge', name: value };
    }
  }
  return undefined;
}
