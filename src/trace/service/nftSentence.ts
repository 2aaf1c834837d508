import type { NftRule, NftSet, Statement, Verdict } from '../../netfilter/nft/ast.ts';
import { writeStatement } from '../../netfilter/nft/statements.ts';
import { formatDuration } from '../../netfilter/nft/values/duration.ts';
import { nftChainKind } from '../../netfilter/proxyChains.ts';
import { fraction } from '../../walk/values/fraction.ts';
import { sharePercent } from '../show/sharePercent.ts';

/** What a rule of nftables does, a whole sentence. */
export function ruleSentence({ statements }: NftRule, sets: ReadonlyMap<string, NftSet>): string {
  const affinity = affinitySentence(statements, sets);
  if (affinity !== undefined) return affinity;
  const asked = statements.filter(({ kind }) => kind === 'match').map((one) => `\`${writeStatement(one, 'listing')}\``);
  const done = statements.flatMap((one) => effectText(one) ?? []);
  const who = asked.length === 0 ? 'All packets that get here' : `Packets that match ${asked.join(' and ')}`;
  return `${who} ${done.length === 0 ? 'are counted only' : done.join(', and ')}.`;
}

/** A client in the set of an endpoint's clients goes to it again. */
function affinitySentence(statements: readonly Statement[], sets: ReadonlyMap<string, NftSet>): string | undefined {
  const [asks, goes, ...more] = statements;
  if (asks?.kind !== 'match' || asks.right.kind !== 'namedSet' || asks.operator !== '==') return undefined;
  if (more.length > 0 || goes?.kind !== 'verdict' || !('chain' in goes.verdict)) return undefined;
  const { timeout } = sets.get(asks.right.name) ?? {};
  if (timeout === undefined || !asks.right.name.startsWith('affinity-')) return undefined;
  const to = endpointIn(goes.verdict.chain);
  return `Clients that ${to} served within the last ${timeout / 1000} seconds go to it again (session affinity).`;
}

function effectText(statement: Statement): string | undefined {
  switch (statement.kind) {
    case 'match':
    case 'counter':
      return undefined;
    case 'vmap':
      return vmapText(statement);
    case 'verdict':
      return verdictText(statement.verdict);
    case 'assign':
      if (statement.operation === '|') return `are marked for masquerading (${statement.value})`;
      return statement.operation === '^' ? `lose the mark ${statement.value}` : `get a mark (${statement.value})`;
    case 'nat':
      if (statement.action === 'masquerade') return "leave with this node's address as their source";
      return statement.address === undefined
        ? `are translated by \`${writeStatement(statement, 'listing')}\``
        : `go to the endpoint ${statement.address}${statement.port === undefined ? '' : `:${statement.port}`}`;
    case 'reject':
      return `are refused${statement.with === undefined ? '' : ` (${statement.with})`}`;
    case 'setUpdate': {
      const time = statement.timeout === undefined ? '' : ` for ${formatDuration(statement.timeout)}`;
      return `are remembered in ${statement.set}${time} for session affinity`;
    }
    default:
      return `meet \`${writeStatement(statement, 'listing')}\``;
  }
}

/** A random number below `mod N`: elements that share a chain are added up. */
function vmapText({ key, map }: Extract<Statement, { kind: 'vmap' }>): string {
  if (map.kind === 'namedMap') return `go where the map ${map.name} says`;
  if (key.kind !== 'numgen') return 'go where the map says';
  const counts = new Map<string, number>();
  for (const { verdict } of map.elements) {
    const to = verdict !== undefined && 'chain' in verdict ? verdict.chain : (verdict?.kind ?? 'nothing');
    counts.set(to, (counts.get(to) ?? 0) + 1);
  }
  const shares = [...counts].map(
    ([to, count]) => `${endpointIn(to)} with ${sharePercent(fraction(count, key.modulus))}`,
  );
  return `are balanced: ${shares.join(', ')} of the connections that this chain balances`;
}

/** `endpoint-HASH-shop/web/tcp/http__10.0.0.1/80`: the address and port at its end. */
function endpointIn(chain: string): string {
  const [, ip, port] = /__([0-9a-f.:]+)\/(\d+)$/.exec(chain) ?? [];
  if (ip === undefined) return chain;
  return ip.includes(':') ? `[${ip}]:${port}` : `${ip}:${port}`;
}

function verdictText(verdict: Verdict): string {
  if ('chain' in verdict)
    return nftChainKind(verdict.chain) === 'endpoint'
      ? `go to the endpoint ${endpointIn(verdict.chain)}`
      : `go through ${verdict.chain}`;
  const texts = {
    accept: 'pass',
    drop: 'are dropped',
    return: 'leave this chain',
    continue: 'go on with the next rule',
  };
  return texts[verdict.kind];
}
