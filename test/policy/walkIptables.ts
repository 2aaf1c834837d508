import assert from 'node:assert/strict';
import { cidrContains } from '../../src/common/addresses/cidr.ts';
import type { IpsetState } from '../../src/netfilter/ipset/ast.ts';
import type { Match, Rule, Ruleset, Word } from '../../src/netfilter/iptables/ast.ts';
import type { Packet } from './packet.ts';

/** What a filter table with its sets does with the first packet of a connection in a hook: it passes, or not. */
export function passesIptables(ruleset: Ruleset, ipsets: IpsetState, hook: string, packet: Packet): boolean {
  const byChain = new Map<string, Rule[]>();
  for (const rule of ruleset.tables.flatMap(({ rules }) => rules)) {
    const own = byChain.get(rule.chain);
    if (own) own.push(rule);
    else byChain.set(rule.chain, [rule]);
  }
  const sets = new Map(ipsets.sets.map((set) => [set.name, set]));
  let mark = 0;

  const run = (chain: string): 'accept' | 'drop' | 'return' => {
    for (const rule of byChain.get(chain) ?? []) {
      if (!rule.words.every(matches)) continue;
      const { target } = rule;
      if (target?.kind === 'mark') {
        mark = (mark & ~(target.mask ?? 0xffffffff)) ^ target.value;
      } else if (target?.kind === 'reject') {
        return 'drop';
      } else if (target?.kind === 'jump') {
        if (target.chain === 'RETURN') return 'return';
        if (target.chain === 'ACCEPT') return 'accept';
        if (target.chain === 'DROP') return 'drop';
        const inner = run(target.chain);
        if (inner !== 'return') return inner;
      } else {
        assert.fail(`target ${target?.kind}`);
      }
    }
    return 'return';
  };

  const matches = (word: Word): boolean => {
    switch (word.kind) {
      case 'source':
        return isAddress(word.address, packet.source);
      case 'destination':
        return isAddress(word.address, packet.destination);
      case 'protocol':
        return word.protocol === packet.protocol.toLowerCase();
      case 'comment':
        return true;
      case 'mark':
        return ((mark & word.mask) === word.value) !== (word.negated ?? false);
      case 'transport':
        return isPort(word.destinationPort ?? assert.fail(), packet.port);
      case 'set':
        return isMember(word) !== (word.negated ?? false);
      case 'conntrack':
        return false;
      case 'physdev':
        return false;
      case 'addrtype': {
        const isSource = word.options.some(({ name }) => name === 'src-type');
        return isSource ? packet.isFromNode : hook === 'INPUT';
      }
      case 'other':
        assert.equal(word.name, 'multiport');
        return isPort(word.options[0]?.values[0] ?? '', packet.port);
      default:
        return assert.fail(`match ${word.kind}`);
    }
  };

  const isMember = (word: Extract<Match, { kind: 'set' }>): boolean => {
    const address = word.sides[0] === 'src' ? packet.source : packet.destination;
    const { members } = sets.get(word.set) ?? assert.fail(`no set ${word.set}`);
    return members.some(({ member }) => isAddress(member, address));
  };

  return run(hook) !== 'drop';
}

function isAddress(written: string, address: string): boolean {
  return written.includes('/') ? cidrContains(written, address) : written === address;
}

function isPort(written: string, port: number): boolean {
  const [first, last = first] = written.split(':').map(Number);
  return (first ?? 0) <= port && port <= (last ?? 0);
}
