import assert from 'node:assert/strict';
import { cidrContains } from '../../src/common/addresses/cidr.ts';
import { compareIps, parseIp } from '../../src/common/addresses/ip.ts';
import type { NftKey, NftTable, Selector, Statement, Verdict } from '../../src/netfilter/nft/ast.ts';
import type { Packet } from './packet.ts';

/** What an nftables filter table does with the first packet of a connection in a hook: it passes, or not. */
export function passesNft(table: NftTable, hook: string, packet: Packet): boolean {
  const sets = new Map(table.sets.map((set) => [set.name, set]));
  const chains = new Map(table.chains.map((chain) => [chain.name, chain]));

  const run = (name: string): 'accept' | 'drop' | 'return' => {
    for (const { statements } of chains.get(name)?.rules ?? assert.fail(`no chain ${name}`)) {
      const verdict = ruleVerdict(statements);
      if (verdict === undefined) continue;
      if (verdict.kind === 'goto') return run(verdict.chain);
      if (verdict.kind === 'jump') {
        const inner = run(verdict.chain);
        if (inner !== 'return') return inner;
        continue;
      }
      assert.ok(verdict.kind === 'accept' || verdict.kind === 'drop' || verdict.kind === 'return');
      return verdict.kind;
    }
    return 'return';
  };

  const ruleVerdict = (statements: readonly Statement[]): Verdict | undefined => {
    for (const statement of statements) {
      switch (statement.kind) {
        case 'match':
          if (!matches(statement)) return undefined;
          break;
        case 'vmap': {
          assert.equal(statement.map.kind, 'namedMap');
          return lookup(statement.map.name, statement.key)?.verdict;
        }
        case 'verdict':
          return statement.verdict;
        case 'reject':
          return { kind: 'drop' };
        case 'counter':
          break;
        default:
          assert.fail(`statement ${statement.kind}`);
      }
    }
    return undefined;
  };

  const lookup = (name: string, selector: Selector) => {
    const set = sets.get(name) ?? assert.fail(`no set ${name}`);
    const key = keyOf(selector);
    return set.elements.find((element) => isEqual(element.key, key));
  };

  const matches = (statement: Extract<Statement, { kind: 'match' }>): boolean => {
    const { left, right } = statement;
    // Only first packets of TCP, UDP and SCTP are walked here.
    if (left.kind === 'ct') return false;
    if (left.kind === 'payload' && left.protocol.startsWith('icmp')) return false;
    if (left.kind === 'fib') return packet.isFromNode;
    assert.equal(right.kind, 'namedSet');
    const isIn = lookup(right.name, left) !== undefined;
    return statement.operator === '!=' ? !isIn : isIn;
  };

  const keyOf = (selector: Selector): NftKey => {
    if (selector.kind === 'concat') return selector.parts.flatMap(keyOf);
    if (selector.kind === 'meta') return [packet.protocol.toLowerCase()];
    assert.ok(selector.kind === 'payload');
    return [
      { saddr: packet.source, daddr: packet.destination, dport: String(packet.port) }[selector.field] ?? assert.fail(),
    ];
  };

  const base = table.chains.find((chain) => chain.base?.hook === hook);
  return base === undefined || run(base.name) !== 'drop';
}

function isEqual(element: NftKey, key: NftKey): boolean {
  return element.length === key.length && element.every((part, at) => isIn(part, key[at] ?? ''));
}

/** A word of a key, a prefix, or a range of numbers or addresses. */
function isIn(part: string, value: string): boolean {
  if (part === value) return true;
  if (part.includes('/')) return cidrContains(part, value);
  const [first, last] = part.split('-');
  if (first === undefined || last === undefined) return false;
  if (/^\d+$/.test(first)) return Number(first) <= Number(value) && Number(value) <= Number(last);
  const [low, high, ip] = [parseIp(first), parseIp(last), parseIp(value)];
  return (
    low !== undefined && high !== undefined && ip !== undefined && compareIps(low, ip) <= 0 && compareIps(ip, high) <= 0
  );
}
