import { memoized } from '../../common/memoized.ts';
import type { NftChain, NftRule, Statement } from '../../netfilter/nft/ast.ts';
import { isProxyTable } from '../../netfilter/proxyChains.ts';
import type { RuleTable, ToolRules } from '../../node/nodeRules.ts';
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
  const forward = rulesOf(table, 'forward');
  if (forward.length > 0) settings.isLiberal = false;
  else if (table.chains.has('forward')) settings.isLiberal = true;
  for (const name of table.chains.keys()) {
    if (settings.detector !== undefined && settings.masqueradesAll !== undefined) return;
    if (!/^(?:services$|(?:service|local|external)-[A-Z0-9]{8}-)/.test(name)) continue;
    for (const rule of rulesOf(table, name)) readRule(rule, name.startsWith('external-'), settings);
  }
}

function nodePortsOf(table: RuleTable): NonNullable<SeenSettings['nodePorts']> {
  const content = table.chains.get('set nodeport-ips')?.content;
  if (content?.kind !== 'nftSet') return { kind: 'any', excludesLoopback: true };
  return { kind: 'addresses', addresses: content.set.elements.map(({ key: [ip = ''] }) => ip) };
}

function rulesOf(table: RuleTable, chain: string): NftChain['rules'] {
  const content = table.chains.get(chain)?.content;
  return content?.kind === 'nftChain' ? content.chain.rules : [];
}

/** Chains of external traffic send that of local Pods on; the others mark what is not theirs. */
function readRule({ statements, comment }: NftRule, isExternal: boolean, settings: SeenSettings): void {
  if (isExternal) {
    const detector = comment === 'short-circuit pod traffic' ? detectorIn(statements, '==') : undefined;
    if (detector !== undefined) settings.detector ??= detector;
    return;
  }
  const isForClusterIP = statements.some((one) => one.kind === 'match' && isDestination(one));
  if (!isForClusterIP || !statements.some(isMarking)) return;
  const detector = detectorIn(statements, '!=');
  if (detector !== undefined) settings.detector ??= detector;
  settings.masqueradesAll ??= detector === undefined;
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
