import { escapeText } from '../../common/escapeText.ts';
import type { Rule } from '../../netfilter/iptables/ast.ts';
import { chainPlace, linesOf, placeOf } from '../../node/chainLines.ts';
import { isPluginChain } from '../../node/foreignPrograms.ts';
import type { RuleChain, ToolRules } from '../../node/nodeRules.ts';
import { rulesOf, targetName } from '../../node/rulesOf.ts';
import { makeFinding } from '../makeFinding.ts';
import type { DumpFinding, NeedsCheck } from './dumpFinding.ts';

/** 5xx: what keeps forwarded packets from KUBE-FORWARD, and matches that an older program lost. */
export function reachChecks(set: ToolRules, needsCheck: NeedsCheck): readonly DumpFinding[] {
  return [...stoppedForwarding(set), ...lostMatches(set), ...zeroAddresses(set, needsCheck)];
}

function* stoppedForwarding(set: ToolRules): Iterable<DumpFinding> {
  const mangled = set.tables.get('mangle')?.chains.get('FORWARD');
  if (mangled?.policy === 'DROP' && !linesOf(mangled).some(acceptsPods)) {
    const seen = 'the policy of FORWARD in the table mangle is DROP: nothing is forwarded';
    yield { finding: makeFinding('K8N504', { seen, found: chainPlace(mangled) }), about: '' };
  }
  const filter = set.tables.get('filter');
  const forward = filter?.chains.get('FORWARD');
  if (!filter?.isWhole || forward === undefined) return;
  const hasKube = linesOf(forward).some((line) => targetName(line).startsWith('KUBE-'));
  if (!hasKube) return;
  if (forward.policy === 'DROP' && !linesOf(forward).some(acceptsPods)) {
    yield {
      finding: makeFinding('K8N504', {
        seen: 'the policy of FORWARD is DROP: packets to Pods that carry no mark are lost',
        found: chainPlace(forward),
      }),
      about: '',
    };
  }
  const rules = rulesOf(forward, set.family);
  const own = rules.findIndex(({ target }) => target?.kind === 'jump' && target.chain === 'KUBE-FORWARD');
  for (const [at, rule] of rules.entries()) {
    if (own !== -1 && at > own) break;
    if (!refuses(rule) || !isWide(rule)) continue;
    const line = linesOf(forward)[at] as string;
    yield {
      finding: makeFinding('K8N504', {
        seen: `before KUBE-FORWARD stands ${escapeText(line)}`,
        found: [placeOf(forward, at)],
      }),
      about: '',
    };
  }
}

/** A network plugin's chain or an ACCEPT lets Pods' packets pass despite the policy. */
function acceptsPods(line: string): boolean {
  const target = targetName(line);
  if (target === 'ACCEPT') return !/ -[io] (?:docker|br-|virbr)| --ctstate | --state /.test(line);
  return isPluginChain(target);
}

function refuses(rule: Rule): boolean {
  return rule.target?.kind === 'reject' || (rule.target?.kind === 'jump' && rule.target.chain === 'DROP');
}

/** It takes new connections of anybody: no state, no port, no single address. */
function isWide(rule: Rule): boolean {
  return rule.words.every((word) => word.kind === 'comment' || word.kind === 'protocol');
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
