import { escapeText } from '../../common/escapeText.ts';
import { linesOf, placeOf } from '../../node/chainLines.ts';
import type { RuleChain, ToolRules } from '../../node/nodeRules.ts';
import { targetName } from '../../node/rulesOf.ts';
import { makeFinding } from '../makeFinding.ts';
import type { DumpFinding, NeedsCheck } from './dumpFinding.ts';
import { forwardChecks } from './forwardChecks.ts';

/** 5xx: what keeps forwarded packets from KUBE-FORWARD, and matches that an older program lost. */
export function reachChecks(set: ToolRules, needsCheck: NeedsCheck): readonly DumpFinding[] {
  return [...forwardChecks(set), ...lostMatches(set), ...zeroAddresses(set, needsCheck)];
}

/** An older iptables-nft drops ports and marks from rules that a newer one wrote. */
function* lostMatches(set: ToolRules): Iterable<DumpFinding> {
  const nat = set.tables.get('nat');
  const services = nat?.chains.get('KUBE-SERVICES');
  if (services !== undefined) {
    const at = linesOf(services).findIndex(
      (line) => / -p (?:tcp|udp|sctp|6|17|132) /.test(line) && !/ --(?:dports?|match-set) /.test(line),
    );
    if (at !== -1)
      yield lost(services, at, 'a rule for a Service’s address names a protocol but no port', 'nat KUBE-SERVICES');
  }
  const forward = set.tables.get('filter')?.chains.get('KUBE-FORWARD');
  const accepts = linesOf(forward).findIndex(
    (line) => line.includes('kubernetes forwarding rules') && !line.includes('--mark'),
  );
  if (forward && accepts !== undefined && accepts !== -1) {
    yield lost(forward, accepts, 'KUBE-FORWARD accepts without testing the mark', 'filter KUBE-FORWARD');
  }
  const post = nat?.chains.get('KUBE-POSTROUTING');
  const returns = linesOf(post).findIndex((line) => targetName(line) === 'RETURN' && !line.includes('--mark'));
  if (post && returns !== undefined && returns !== -1) {
    yield lost(post, returns, 'KUBE-POSTROUTING returns without testing the mark', 'nat KUBE-POSTROUTING');
  }
}

function lost(chain: RuleChain, at: number, seen: string, about: string): DumpFinding {
  return {
    finding: makeFinding('K8N102', {
      seen: `${seen}: ${escapeText(linesOf(chain)[at] as string)}`,
      found: [placeOf(chain, at)],
    }),
    about,
  };
}

function* zeroAddresses(set: ToolRules, needsCheck: NeedsCheck): Iterable<DumpFinding> {
  for (const table of set.tables.values()) {
    for (const chain of table.chains.values()) {
      if (!needsCheck(table.name, chain.name)) continue;
      const at = linesOf(chain).findIndex((line) => / -[sd] 0\.0\.0\.0\/32 /.test(line));
      if (at === -1) continue;
      yield {
        finding: makeFinding('K8N104', {
          seen: `an address that no packet has: ${escapeText(linesOf(chain)[at] as string)}`,
          found: [placeOf(chain, at)],
        }),
        about: `${table.name} ${chain.name}`,
      };
      return;
    }
  }
}
