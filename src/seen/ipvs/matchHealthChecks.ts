import type { FamilyDrafts, ServiceDraft } from './serviceDraft.ts';

/**
 * Assigns health-check node ports to Services of load balancers with policy Local, which are the only ones that have
 * them. A number in both families belongs to one Service in both. Returns the numbers that remain.
 */
export function matchHealthChecks(families: readonly FamilyDrafts[]): readonly number[] {
  const numbers = families.map(({ facts }) => new Set(facts.members('healthCheckNodePort').map(({ port }) => port)));
  const [four = new Set(), six = new Set()] = numbers;
  const [ofFour = [], ofSix = []] = families.map(({ drafts }) => wanting(drafts));
  const twins = new Map(ofSix.flatMap((draft) => (draft.twin === undefined ? [] : [[draft.twin, draft] as const])));
  for (const number of [...four].filter((one) => six.has(one))) {
    const open = ofFour.filter((draft) => isFree(draft) && twins.has(draft));
    const one = open.find((draft) => isBalanced(draft) || isBalanced(twins.get(draft))) ?? open[0];
    const pair = one === undefined ? newTwins(ofFour, ofSix, twins) : ([one, twins.get(one)] as const);
    if (pair === undefined) continue;
    for (const draft of pair) if (draft !== undefined) draft.healthCheckNodePort = number;
    four.delete(number);
    six.delete(number);
  }
  giveRest(
    four,
    ofFour.filter((draft) => !twins.has(draft)),
  );
  giveRest(
    six,
    ofSix.filter(({ twin }) => twin === undefined),
  );
  return [...new Set([...four, ...six])];
}

/** Those with load-balancer addresses come first. */
function wanting(drafts: readonly ServiceDraft[]): readonly ServiceDraft[] {
  return drafts
    .filter(({ externalPolicy }) => externalPolicy === 'Local')
    .sort((a, b) => Number(isBalanced(b)) - Number(isBalanced(a)));
}

function isBalanced(draft: ServiceDraft | undefined): boolean {
  return draft !== undefined && draft.loadBalancerIPs.length > 0;
}

function isFree({ healthCheckNodePort }: ServiceDraft): boolean {
  return healthCheckNodePort === undefined;
}

/**
 * Two Services without node ports, one in each family, with the same ports: a shared number shows that they are one.
 */
function newTwins(
  ofFour: readonly ServiceDraft[],
  ofSix: readonly ServiceDraft[],
  twins: ReadonlyMap<ServiceDraft, ServiceDraft>,
): readonly ServiceDraft[] | undefined {
  for (const one of ofFour) {
    if (!isFree(one) || twins.has(one)) continue;
    const other = ofSix.find((draft) => isFree(draft) && draft.twin === undefined && portsOf(draft) === portsOf(one));
    if (other === undefined) continue;
    other.twin = one;
    one.isGuess = true;
    return [one, other];
  }
  return undefined;
}

function portsOf({ ports }: ServiceDraft): string {
  const texts = ports.map(
    ({ protocol, port, nodePort, servers }) => `${protocol} ${port} ${nodePort} ${servers.seconds}`,
  );
  return texts.sort().join();
}

function giveRest(numbers: Set<number>, drafts: readonly ServiceDraft[]): void {
  const open = drafts.filter(isFree);
  for (const draft of open) {
    const [number] = numbers;
    if (number === undefined) return;
    numbers.delete(number);
    draft.healthCheckNodePort = number;
    if (open.length > 1) draft.isGuess = true;
  }
}
