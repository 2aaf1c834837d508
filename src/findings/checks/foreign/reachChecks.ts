import { escapeText } from '../../../common/text/escapeText.ts';
import type { Rule } from '../../../netfilter/iptables/ast.ts';
import { ruleHead } from '../../../netfilter/iptables/ruleHead.ts';
import { commentOf, hasWord, jumpOf, portsAsked } from '../../../netfilter/iptables/ruleParts.ts';
import { isKubeName } from '../../../netfilter/proxyChains.ts';
import type { ChainKey } from '../../../node/chains/chainKey.ts';
import { eachChain, suspectChains } from '../../../node/chains/eachChain.ts';
import { linesOf, placeOf } from '../../../node/lines/chainLines.ts';
import type { ToolRules } from '../../../node/nodeRules.ts';
import { pickRules, type RuleAt } from '../../../node/pickRules.ts';
import type { RuleChain } from '../../../node/ruleChain.ts';
import { makeFinding } from '../../makeFinding.ts';
import type { CheckScope } from '../checkScope.ts';
import type { DumpFinding } from '../dumpFinding.ts';
import { forwardChecks } from './forwardChecks.ts';

/** 5xx: what keeps forwarded packets from KUBE-FORWARD, and matches that an older program lost. */
export function reachChecks(set: ToolRules, scope: CheckScope): readonly DumpFinding[] {
  return [...forwardChecks(set), ...lostMatches(set), ...zeroAddresses(set, scope)];
}

/** An older iptables-nft drops ports and marks from rules that a newer one wrote. */
function* lostMatches({ tables, family }: ToolRules): Iterable<DumpFinding> {
  const nat = tables.get('nat');
  const services = nat?.chains.get('KUBE-SERVICES');
  const withoutPort = { holds: [' -p '], lacks: [' --dport', ' --match-set '] };
  const portless = placeIn(pickRules(services, family, withoutPort), hasNoPort);
  if (services && portless !== undefined) {
    yield lost(services, portless, 'a rule for a Service’s address names a protocol but no port', {
      table: 'nat',
      chain: 'KUBE-SERVICES',
    });
  }
  const forward = tables.get('filter')?.chains.get('KUBE-FORWARD');
  const accepts = placeIn(pickRules(forward, family, {}), (rule) => commentOf(rule) === forwarding && asksNoMark(rule));
  if (forward && accepts !== undefined) {
    yield lost(forward, accepts, 'KUBE-FORWARD accepts without testing the mark', {
      table: 'filter',
      chain: 'KUBE-FORWARD',
    });
  }
  const post = nat?.chains.get('KUBE-POSTROUTING');
  const returns = placeIn(pickRules(post, family, {}), (rule) => jumpOf(rule) === 'RETURN' && asksNoMark(rule));
  if (post && returns !== undefined) {
    yield lost(post, returns, 'KUBE-POSTROUTING returns without testing the mark', {
      table: 'nat',
      chain: 'KUBE-POSTROUTING',
    });
  }
}

const forwarding = 'kubernetes forwarding rules';

function placeIn(rules: Iterable<RuleAt>, isFound: (rule: Rule) => boolean): number | undefined {
  for (const { rule, at } of rules) if (isFound(rule)) return at;
  return undefined;
}

function hasNoPort(rule: Rule): boolean {
  const { protocol = '' } = ruleHead(rule);
  // Rules that somebody added to watch packets (LOG, TRACE) apply to all ports.
  if (!isKubeName(jumpOf(rule) ?? '')) return false;
  return /^(?:tcp|udp|sctp)$/.test(protocol) && portsAsked(rule).length === 0 && !hasWord(rule, 'set');
}

function asksNoMark(rule: Rule): boolean {
  return !hasWord(rule, 'mark');
}

function lost(chain: RuleChain, at: number, seen: string, about: ChainKey): DumpFinding {
  return {
    finding: makeFinding('K8N102', {
      what: `${seen}: ${escapeText(linesOf(chain)[at] as string)}`,
      found: [placeOf(chain, at)],
    }),
    about,
  };
}

function* zeroAddresses(set: ToolRules, { needsCheck, chosen }: CheckScope): Iterable<DumpFinding> {
  for (const table of set.tables.values()) {
    for (const chain of eachChain(table, chosen(table.name) ?? suspectChains)) {
      if (!needsCheck(table.name, chain.name)) continue;
      const at = placeIn(pickRules(chain, set.family, { holds: [' 0.0.0.0/32 '] }), isOfNobody);
      if (at === undefined) continue;
      yield {
        finding: makeFinding('K8N104', {
          what: `an address that no packet has: ${escapeText(linesOf(chain)[at] as string)}`,
          found: [placeOf(chain, at)],
        }),
        about: { table: table.name, chain: chain.name },
      };
      return;
    }
  }
}

function isOfNobody({ words }: Rule): boolean {
  return words.some((word) => (word.kind === 'source' || word.kind === 'destination') && word.address === '0.0.0.0/32');
}
