import { escapeText } from '../../common/text/escapeText.ts';
import { type Ladder, readLadder, tolerance } from '../../compare/ladder.ts';
import { serviceChainKind } from '../../netfilter/proxyChains.ts';
import { endpointOf } from '../../node/endpointOf.ts';
import { rulesOf } from '../../node/rulesOf.ts';
import { affinityRole, type Role, repeatedRole } from './consequences.ts';
import type { ExplainContext, SaidParts } from './explainWith.ts';
import { jumpTarget } from './jumpTarget.ts';
import { lostRules } from './lostRules.ts';
import type { RuleDifference } from './ruleDifferences.ts';
import { entranceKey, type KnownService } from './serviceIndex.ts';
import { strangerParts } from './strangers.ts';
import { unmarkedReason } from './unmarkedReason.ts';

/** nat KUBE-SVC, KUBE-SVL and KUBE-XLB: masquerading, affinity, balance. */
export function explainBalance(context: ExplainContext): void {
  const { items, say, diff, owner: service } = context;
  const rest = new Set(items);
  const take = (test: (item: RuleDifference) => boolean) => {
    const own = [...rest].filter(test);
    for (const item of own) rest.delete(item);
    return own;
  };
  const masquerade = take(({ rule }) => jumpTarget(rule) === 'KUBE-MARK-MASQ');
  if (masquerade.length > 0) explainMasquerade(masquerade, context, service);
  const sticky = take(({ rule }) => rule.words.some(({ kind }) => kind === 'recent'));
  if (sticky.length > 0) {
    const asks = service?.affinitySeconds;
    const seconds = sticky
      .find(({ side }) => side === 'extra')
      ?.rule.words.find((word) => word.kind === 'recent')?.seconds;
    const isLate = sticky.every(({ side }) => side === 'moved');
    const seen = isLate
      ? `${diff.chain} looks for clients that it remembers too late: others were sent away before`
      : asks === undefined
        ? `${diff.chain} keeps clients on one endpoint, which the Service does not ask for`
        : seconds !== undefined && seconds !== asks
          ? `${diff.chain} keeps clients for ${seconds} s instead of ${asks} s`
          : `${diff.chain} lacks rules that keep clients on one endpoint for ${asks} s`;
    const endpoints = sticky.map(({ rule }) => endpointBehind(jumpTarget(rule), diff));
    say('K8N304', sticky, { what: seen, role: affinityRole(endpoints) }, service);
  }
  const dropped = take(({ rule }) => jumpTarget(rule) === 'KUBE-MARK-DROP');
  if (dropped.length > 0) {
    say(
      'K8N209',
      dropped,
      {
        what: `${diff.chain} drops traffic, or does not, against the endpoints of this node`,
        role: { follows: ['strangers', 'lacking'] },
      },
      service,
    );
  }
  const steps = take(({ rule }) => serviceChainKind(jumpTarget(rule)) === 'endpoint');
  if (steps.length > 0) explainSteps(steps, context, service);
  const routes = take(() => true);
  if (routes.length > 0)
    say('K8N201', routes, { what: `${diff.chain} leads traffic elsewhere than it should` }, service);
}

function explainMasquerade(
  items: readonly RuleDifference[],
  { say, diff, index }: ExplainContext,
  service: KnownService | undefined,
): void {
  if (items.some(({ side }) => side !== 'extra')) {
    const hasOther = items.some(({ side }) => side !== 'missing');
    const seen = hasOther
      ? `${diff.chain} marks other traffic for masquerading than it should, or in another order`
      : `${diff.chain} does not mark traffic from outside the cluster for masquerading`;
    // Its rule has the cluster IP, too, or is for a node port: through 1.22 nothing of that is there where it is closed.
    const role: Role = hasOther
      ? { follows: ['unknown', 'otherWay'] }
      : items.every(isForNodePort)
        ? { follows: ['unknown'] }
        : {};
    say('K8N401', items, { what: seen, role, ...unmarkedReason(diff) }, service);
  } else {
    const seen = `${diff.chain} marks more traffic for masquerading than it should`;
    const parts = isUnaskedRange(items, diff, index) ? unaskedRange : lostRules;
    const role: Role = {
      follows: items.every(isForNodePort) ? ['otherWay', 'strangers', 'left'] : ['otherWay', 'strangers'],
    };
    say('K8N408', items, { what: seen, severity: 'warning', isAdvice: false, role, ...parts }, service);
  }
}

/** At whatever address. */
function isForNodePort({ rule }: RuleDifference): boolean {
  return entranceKey(rule)?.split(' ')[1] === '*';
}

const unaskedRange = {
  why: 'kube-proxy of the dump tells Pods from others by a clusterCIDR, and none was given here.',
  fix: 'Pass the same range with `--cluster-cidr`, or kube-proxy’s configuration with `--config`: `kubectl -n kube-system get configmap kube-proxy -o yaml` shows both.',
};

/** The dump exempts Pods by their addresses, which the settings given do not know. */
function isUnaskedRange(
  items: readonly RuleDifference[],
  { expected, foundSet }: ExplainContext['diff'],
  { knowsLocalPods }: ExplainContext['index'],
): boolean {
  if (knowsLocalPods) return false;
  const isByRange = items.every(({ rule }) => rule.words.some((word) => word.kind === 'source' && word.negated));
  const rules = expected === undefined ? [] : rulesOf(expected, foundSet.family);
  return isByRange && !rules.some((rule) => jumpTarget(rule) === 'KUBE-MARK-MASQ');
}

/** Compares the two ladders by the addresses their targets lead to. */
function explainSteps(
  steps: readonly RuleDifference[],
  { say, diff }: ExplainContext,
  service: KnownService | undefined,
): void {
  const family = diff.foundSet.family;
  const expected = diff.expected ? readLadder(rulesOf(diff.expected, family)) : undefined;
  const found = diff.found ? readLadder(rulesOf(diff.found, family)) : undefined;
  const table = diff.foundSet.tables.get('nat');
  const isWhole = table?.isWhole ?? false;
  // The chain for policy Local sends to some of the endpoints of the other.
  const isLocal = serviceChainKind(diff.chain) !== 'balance';
  let unsaid = steps;
  const tell = (
    id: 'K8N203' | 'K8N204' | 'K8N302' | 'K8N301' | 'K8N303',
    own: readonly RuleDifference[],
    parts: SaidParts,
  ) => {
    say(id, own, parts, service);
    unsaid = [];
  };
  const strangers = weighedTargets(found).filter((target) => !expected?.weights.has(target));
  for (const target of strangers) {
    const own = steps.filter(({ side, rule }) => side === 'extra' && jumpTarget(rule) === target);
    const address = endpointBehind(target, diff);
    tell('K8N203', own, strangerParts(`${diff.chain} sends traffic`, [address], service, !isLocal));
  }
  const lost =
    isWhole || diff.found === undefined ? weighedTargets(expected).filter((target) => !found?.weights.has(target)) : [];
  for (const target of lost) {
    const own = steps.filter(({ side, rule }) => side === 'missing' && jumpTarget(rule) === target);
    const address = endpointBehind(target, diff);
    const role = repeatedRole('lacking', [address], !isLocal);
    tell('K8N204', own, { what: `${diff.chain} sends nothing to ${escapeText(address)}`, role });
  }
  if (found && isWhole) {
    if (found.rest > tolerance && found.steps.length > 0) {
      const share = (found.rest * 100).toFixed(1);
      tell('K8N301', unsaid, { what: `${share} % of the traffic passes all rules of ${diff.chain}` });
    }
    if (found.dead.length > 0 || found.repeated.length > 0) {
      const seen = `${diff.chain} has rules behind one that always matches, or two for one endpoint`;
      tell('K8N303', unsaid, { what: seen });
    }
    if (strangers.length === 0 && hasOtherWeights(expected, found, lost.length)) {
      const share = (100 / Math.max(1, expected?.weights.size ?? 1)).toFixed(1);
      tell('K8N302', unsaid, { what: `${diff.chain} gives its endpoints other shares than ${share} % each` });
    }
  }
  const covered = new Set(unsaid);
  if (covered.size > 0) say('K8N302', unsaid, { what: `${diff.chain} balances by other rules than expected` }, service);
  else {
    // What findings about addresses left out belongs to the same change of shares.
    const rest = steps.filter(({ rule }) => !strangers.includes(jumpTarget(rule)) && !lost.includes(jumpTarget(rule)));
    if (rest.length > 0 && strangers.length + lost.length > 0) {
      say(
        'K8N302',
        rest,
        {
          what: `the shares of the other endpoints in ${diff.chain} are not those expected`,
          severity: 'info',
          isAdvice: true,
          role: { follows: ['strangers', 'lacking'] },
        },
        service,
      );
    }
  }
}

/** Where the chain of an endpoint leads, by the dump if it has the chain; what cannot be told keeps the chain's name. */
function endpointBehind(chain: string, { foundSet, expectedSet }: ExplainContext['diff']): string {
  const [found, expected] = [foundSet, expectedSet].map(({ tables }) => tables.get('nat')?.chains.get(chain));
  return endpointOf(found, foundSet.family) ?? endpointOf(expected, foundSet.family) ?? chain;
}

function weighedTargets(ladder: Ladder | undefined): readonly string[] {
  return ladder ? [...ladder.weights.keys()] : [];
}

/** The remaining shares are not equal among themselves. */
function hasOtherWeights(expected: Ladder | undefined, found: Ladder, lost: number): boolean {
  if (expected === undefined || lost > 0) return false;
  const fair = 1 / found.weights.size;
  for (const weight of found.weights.values()) if (Math.abs(weight - fair) > tolerance) return true;
  return false;
}

/** nat KUBE-SEP: hairpin and translation. */
export function explainEndpoint({ items, say, diff, owner: service }: ExplainContext): void {
  const masquerade = items.filter(({ rule }) => jumpTarget(rule) === 'KUBE-MARK-MASQ');
  const rest = items.filter((item) => !masquerade.includes(item));
  if (masquerade.length > 0) {
    const what = `${diff.chain} does not mark what its endpoint sends to itself as it should`;
    say('K8N403', masquerade, { what, role: { follows: ['strangers'], each: [diff.chain] } }, service);
  }
  if (rest.length === 0) return;
  const to = (side: RuleDifference['side']) => {
    const target = rest.find((item) => item.side === side && item.rule.target?.kind === 'dnat')?.rule.target;
    return target?.kind === 'dnat' ? target.to : undefined;
  };
  const [expected, found] = [to('missing'), to('extra')];
  if (found !== undefined && found !== expected) {
    // What a part of a dump lacks is no difference.
    const wanted = expected ?? endpointOf(diff.expected, diff.foundSet.family);
    const instead = wanted === undefined || wanted === found ? '' : ` instead of ${escapeText(wanted)}`;
    const seen = `${diff.chain} sends traffic to ${escapeText(found)}${instead}`;
    // The mark of what the endpoint sends to itself has its address, too.
    say('K8N203', rest, { what: seen, role: { tells: 'strangers', about: [diff.chain] } }, service);
  } else if (found !== undefined && rest.some(({ rule }) => rule.words.some(({ kind }) => kind === 'recent'))) {
    const what = `${diff.chain} does not remember its clients as the Service asks`;
    say('K8N304', rest, { what, role: { follows: ['affinity'] } }, service);
  } else if (expected !== undefined) {
    say('K8N204', rest, { what: `${diff.chain} does not translate to ${escapeText(expected)} as it should` }, service);
  } else if (rest.every(({ side }) => side === 'moved')) {
    say(
      'K8N403',
      rest,
      { what: `${diff.chain} translates before it marks what its endpoint sends to itself` },
      service,
    );
  }
}
