import type { Step } from '../netfilter/meaning.ts';
import type { TraceResult } from '../trace/traceResult.ts';
import type { EventVerdict, WalkEvent } from '../walk/flow.ts';
import { iptablesHooks } from '../walk/input/iptablesHooks.ts';
import type { Hook, WalkChain, WalkInput, WalkRule, WalkTable } from '../walk/input/walkInput.ts';
import { type KernelPacket, kernelPacketResult } from './kernelPacket.ts';
import { type KernelRuleFinder, kernelRuleFinder } from './kernelRuleFinder.ts';
import type { KernelHeader, KernelStep } from './readKernelTrace.ts';

/**
 * What the kernel did with each packet of a trace, in the order of their first lines, with the rules of the dump in the
 * place of the kernel's lines. A line whose rule is not in the dump stays, and is said to be that.
 */
export function kernelTraces(
  steps: readonly KernelStep[],
  inputs: Readonly<Record<'ip' | 'ip6', WalkInput>>,
): readonly TraceResult[] {
  const finder = kernelRuleFinder();
  const unknownChains = new Map<string, WalkChain>();
  const open = new Map<string, KernelPacket>();
  const packets: KernelPacket[] = [];
  for (const step of steps) {
    const { header } = step;
    // The beginning was not recorded: nobody knows whose packet it is.
    if (header === undefined) continue;
    const input = typeof header.source === 'bigint' ? inputs.ip6 : inputs.ip;
    const chain = chainOf(step, input, unknownChains);
    const known = open.get(step.packet);
    let packet = known === undefined || isOver(known, step, chain) ? undefined : known;
    if (packet === undefined) {
      packet = {
        input,
        first: header,
        last: header,
        steps: [],
        hook: firstHook(chain, header),
        base: chain,
        leg: 1,
        mark: 0,
        done: new Set(),
      };
      open.set(step.packet, packet);
      packets.push(packet);
    }
    take(packet, step, chain, header, finder);
  }
  return packets.map(kernelPacketResult);
}

const ranks: Readonly<Record<Hook, number>> = {
  ingress: -1,
  prerouting: 0,
  output: 0,
  input: 1,
  forward: 1,
  postrouting: 2,
  egress: 3,
};

/** The same header again, at the beginning of a way: a second packet, as a log without ids shows it. */
function isOver({ done, hook, last }: KernelPacket, { header }: KernelStep, chain: WalkChain): boolean {
  if (chain.base === undefined) return false;
  if (header?.inInterface === 'lo' && last.inInterface !== 'lo') return false;
  return done.has(chain) || ranks[chain.base.hook] < ranks[hook];
}

function take(
  packet: KernelPacket,
  step: KernelStep,
  chain: WalkChain,
  header: KernelHeader,
  finder: KernelRuleFinder,
): void {
  if (header.inInterface === 'lo' && packet.last.inInterface !== 'lo' && packet.hook === 'postrouting') {
    packet.leg = 2;
    packet.hook = 'prerouting';
    packet.done.clear();
  }
  if (chain.base !== undefined) {
    packet.hook = chain.base.hook;
    packet.base = chain;
  }
  const rule = step.at === 'rule' ? finder.find(step, chain) : undefined;
  const made = step.verdict === undefined && step.at === 'rule' ? verdictOfSteps(rule?.steps ?? []) : undefined;
  const verdict = step.at === 'rule' ? (step.verdict ?? made?.verdict ?? 'continue') : step.at;
  const target = step.target ?? made?.target;
  const isMissing = step.at === 'rule' && rule === undefined;
  packet.mark = step.mark ?? (header.mark === 0 ? packet.mark : header.mark);
  const event: WalkEvent = {
    hook: packet.hook,
    leg: packet.leg,
    chain,
    rule,
    verdict,
    ...(target !== undefined && { target }),
    ...(verdict === 'policy' && { policy: policyOf(step, chain) }),
    ...actionOf(step, chain, rule),
    mark: packet.mark,
  };
  packet.steps.push({ event, isMissing });
  packet.last = header;
  if (verdict === 'policy' || verdict === 'accept' || verdict === 'drop') packet.done.add(packet.base);
}

function policyOf({ verdict }: KernelStep, { base }: WalkChain): 'accept' | 'drop' {
  return (verdict === undefined ? base?.policy : verdict) === 'drop' ? 'drop' : 'accept';
}

function actionOf(step: KernelStep, chain: WalkChain, rule: WalkRule | undefined): { readonly action?: string } {
  if (step.at !== 'rule') return {};
  if (rule === undefined) {
    const handle = step.handle === undefined ? '' : `handle ${step.handle}`;
    const shown = step.text ?? (step.number === undefined ? handle : `#${step.number}`);
    return { action: `${chain.name} (rule not in the dump: ${shown})` };
  }
  for (const one of rule.steps) {
    if (one.kind === 'nat') return { action: one.half === 'destination' ? 'DNAT' : 'SNAT' };
    if (one.kind === 'reject') return { action: 'REJECT' };
    if (one.kind === 'assign') return { action: one.target === 'mark' ? 'mark' : 'ctmark' };
  }
  return {};
}

/** The legacy log does not say what a rule did: the rule itself does. */
function verdictOfSteps(steps: readonly Step[]): { readonly verdict: EventVerdict; readonly target?: string } {
  for (const step of steps) {
    if (step.kind === 'jump' || step.kind === 'goto') return { verdict: step.kind, target: step.chain };
    if (step.kind === 'verdict') return { verdict: step.verdict };
    if (step.kind === 'nat') return { verdict: 'accept' };
    if (step.kind === 'reject') return { verdict: 'drop' };
  }
  return { verdict: 'continue' };
}

/** The dump's chain; one without rules where the dump has none of this name. */
function chainOf(step: KernelStep, { tables }: WalkInput, unknown: Map<string, WalkChain>): WalkChain {
  const isFit = (table: WalkTable) =>
    table.name === step.table && table.family === step.family && (step.backend ?? 'legacy') === table.backend;
  const table = tables.find(isFit);
  const known = table?.chains.get(step.chain);
  if (known !== undefined) return known;
  const key = `${step.backend} ${step.family} ${step.table} ${step.chain}`;
  const before = unknown.get(key);
  if (before !== undefined) return before;
  const hook = iptablesHooks.get(step.chain);
  const own: WalkTable = table ?? {
    tool: step.backend === 'nft' ? 'nft' : 'iptables',
    backend: step.backend ?? 'legacy',
    family: step.family,
    name: step.table,
    chains: new Map(),
    sets: new Map(),
  };
  const kind = 'filter' as const;
  const chain: WalkChain = {
    table: own,
    name: step.chain,
    ...(hook !== undefined && { base: { hook, kind, priority: 0, policy: 'accept' as const } }),
    rules: () => [],
  };
  unknown.set(key, chain);
  return chain;
}

function firstHook(chain: WalkChain, { inInterface, outInterface }: KernelHeader): Hook {
  if (chain.base !== undefined) return chain.base.hook;
  if (inInterface === undefined) return 'output';
  return outInterface === undefined ? 'prerouting' : 'forward';
}
