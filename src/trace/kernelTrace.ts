import type { Step } from '../netfilter/meaning.ts';
import { canonicalNftRule } from '../netfilter/nft/canonicalNftRule.ts';
import { readRule } from '../netfilter/nft/readRule.ts';
import { writeRule } from '../netfilter/nft/writeRule.ts';
import { appended, type EventVerdict, type Flow, type Trail, type WalkEvent } from '../walk/flow.ts';
import { one } from '../walk/fraction.ts';
import { single, type ValueSet } from '../walk/valueSet.ts';
import type { Ended } from '../walk/walkHook.ts';
import type { Hook, WalkChain, WalkInput, WalkRule, WalkTable } from '../walk/walkInput.ts';
import type { KernelHeader, KernelStep } from './readKernelTrace.ts';
import type { TraceResult } from './traceResult.ts';

/**
 * What the kernel did with each packet of a trace, in the order of their first lines, with the rules of the dump in the
 * place of the kernel's lines. A line whose rule is not in the dump stays, and is said to be that.
 */
export function kernelTraces(
  steps: readonly KernelStep[],
  inputs: Readonly<Record<'ip' | 'ip6', WalkInput>>,
): readonly TraceResult[] {
  const finder = createRuleFinder();
  const unknownChains = new Map<string, WalkChain>();
  const open = new Map<string, Draft>();
  const drafts: Draft[] = [];
  for (const step of steps) {
    const { header } = step;
    // The beginning was not recorded: nobody knows whose packet it is.
    if (header === undefined) continue;
    const input = typeof header.source === 'bigint' ? inputs.ip6 : inputs.ip;
    const chain = chainOf(step, input, unknownChains);
    const known = open.get(step.packet);
    let draft = known === undefined || isOver(known, step, chain) ? undefined : known;
    if (draft === undefined) {
      draft = {
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
      open.set(step.packet, draft);
      drafts.push(draft);
    }
    take(draft, step, chain, header, finder);
  }
  return drafts.map(resultOf);
}

/** Lines that have no `PACKET` or `packet:` line before them. */
export function stepsWithoutPacket(steps: readonly KernelStep[]): number {
  return steps.filter(({ header }) => header === undefined).length;
}

interface Draft {
  readonly input: WalkInput;
  readonly first: KernelHeader;
  last: KernelHeader;
  readonly steps: { readonly event: WalkEvent; readonly isMissing: boolean }[];
  hook: Hook;
  base: WalkChain;
  leg: 1 | 2;
  mark: number;
  /** Base chains that it came through. */
  readonly done: Set<WalkChain>;
}

const ranks: Readonly<Record<Hook, number>> = { prerouting: 0, output: 0, input: 1, forward: 1, postrouting: 2 };

/** The same header again, at the beginning of a way: a second packet, as a log without ids shows it. */
function isOver({ done, hook, last }: Draft, { header }: KernelStep, chain: WalkChain): boolean {
  if (chain.base === undefined) return false;
  if (header?.inInterface === 'lo' && last.inInterface !== 'lo') return false;
  return done.has(chain) || ranks[chain.base.hook] < ranks[hook];
}

function take(draft: Draft, step: KernelStep, chain: WalkChain, header: KernelHeader, finder: RuleFinder): void {
  if (header.inInterface === 'lo' && draft.last.inInterface !== 'lo' && draft.hook === 'postrouting') {
    draft.leg = 2;
    draft.hook = 'prerouting';
    draft.done.clear();
  }
  if (chain.base !== undefined) {
    draft.hook = chain.base.hook;
    draft.base = chain;
  }
  const rule = step.at === 'rule' ? finder.find(step, chain) : undefined;
  const made = step.verdict === undefined && step.at === 'rule' ? verdictOfSteps(rule?.steps ?? []) : undefined;
  const verdict = step.at === 'rule' ? (step.verdict ?? made?.verdict ?? 'continue') : step.at;
  const target = step.target ?? made?.target;
  const isMissing = step.at === 'rule' && rule === undefined;
  draft.mark = step.mark ?? (header.mark === 0 ? draft.mark : header.mark);
  const event: WalkEvent = {
    hook: draft.hook,
    leg: draft.leg,
    chain,
    rule,
    verdict,
    ...(target !== undefined && { target }),
    ...(verdict === 'policy' && { policy: policyOf(step, chain) }),
    ...actionOf(step, chain, rule),
    mark: draft.mark,
  };
  draft.steps.push({ event, isMissing });
  draft.last = header;
  if (verdict === 'policy' || verdict === 'accept' || verdict === 'drop') draft.done.add(draft.base);
}

function policyOf({ verdict }: KernelStep, { base }: WalkChain): 'accept' | 'drop' {
  return (verdict === undefined ? base?.policy : verdict) === 'drop' ? 'drop' : 'accept';
}

function actionOf(step: KernelStep, chain: WalkChain, rule: WalkRule | undefined): { readonly action?: string } {
  if (step.at !== 'rule') return {};
  if (rule === undefined) {
    const handle = step.handle === undefined ? '' : `handle ${step.handle}`;
    const said = step.text ?? (step.number === undefined ? handle : `#${step.number}`);
    return { action: `${chain.name} (rule not in the dump: ${said})` };
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
  const hook = builtin.get(step.chain);
  const own: WalkTable = table ?? {
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

const builtin: ReadonlyMap<string, Hook> = new Map([
  ['PREROUTING', 'prerouting'],
  ['INPUT', 'input'],
  ['FORWARD', 'forward'],
  ['OUTPUT', 'output'],
  ['POSTROUTING', 'postrouting'],
]);

function firstHook(chain: WalkChain, { inInterface, outInterface }: KernelHeader): Hook {
  if (chain.base !== undefined) return chain.base.hook;
  if (inInterface === undefined) return 'output';
  return outInterface === undefined ? 'prerouting' : 'forward';
}

interface RuleFinder {
  readonly find: (step: KernelStep, chain: WalkChain) => WalkRule | undefined;
}

interface ChainRules {
  readonly rules: readonly WalkRule[];
  readonly byHandle: ReadonlyMap<number, WalkRule>;
  readonly byText: ReadonlyMap<string, WalkRule>;
}

/** By number, by handle where the dump shows handles, by text. A rule that stands twice is found as its first. */
function createRuleFinder(): RuleFinder {
  const known = new Map<WalkChain, ChainRules>();
  const rulesOf = (chain: WalkChain): ChainRules => {
    const before = known.get(chain);
    if (before !== undefined) return before;
    const rules = chain.rules();
    const byHandle = new Map<number, WalkRule>();
    const byText = new Map<string, WalkRule>();
    for (const rule of rules) {
      const handle = /# handle (\d+)$/.exec(rule.text)?.[1];
      if (handle !== undefined) byHandle.set(Number(handle), rule);
      const text = comparable(rule.text, chain.table.family);
      if (!byText.has(text)) byText.set(text, rule);
    }
    const made = { rules, byHandle, byText };
    known.set(chain, made);
    return made;
  };
  return {
    find: ({ number, handle, text }, chain) => {
      const { rules, byHandle, byText } = rulesOf(chain);
      if (number !== undefined) return rules[number - 1];
      const held = handle === undefined ? undefined : byHandle.get(handle);
      return held ?? (text === undefined ? undefined : byText.get(comparable(text, chain.table.family)));
    },
  };
}

/** Without what differs between two listings of one rule: counts, handles, comments, numbers for names. */
function comparable(text: string, family: string): string {
  const bare = text.trim().replace(/^\[\d+:\d+\] /, '');
  if (bare.startsWith('-A ')) return bare.replace(/\s+/g, ' ');
  const { comment: _, ...rule } = canonicalNftRule(readRule(numbersNamed(bare), true), family);
  return writeRule(rule, 'transaction').replace(/counter packets \d+ bytes \d+/, 'counter');
}

/** `nft -nn` writes states and protocols as numbers. */
function numbersNamed(text: string): string {
  return text
    .replace(/\bct state 0x([0-9a-f]+)(?= |$)/g, (whole, bits) => `ct state ${states.get(bits) ?? whole.slice(9)}`)
    .replace(/\bmeta l4proto (6|17|132)\b/g, (_, number) => `meta l4proto ${l4.get(number)}`);
}

const states: ReadonlyMap<string, string> = new Map([
  ['1', 'invalid'],
  ['2', 'established'],
  ['4', 'related'],
  ['6', 'established,related'],
  ['8', 'new'],
  ['40', 'untracked'],
]);

const l4: ReadonlyMap<string, string> = new Map([
  ['6', 'tcp'],
  ['17', 'udp'],
  ['132', 'sctp'],
]);

function resultOf({ first, last, steps, hook, leg, mark }: Draft): TraceResult {
  let path: Trail<WalkEvent> | undefined;
  for (const { event } of steps) path = appended(path, event);
  const hasSourceNat = steps.some(
    ({ event }) => event.rule?.steps.some((step) => step.kind === 'nat' && step.half === 'source') === true,
  );
  const port = (value: number | undefined): ValueSet | undefined => (value === undefined ? undefined : single(value));
  const isV6 = typeof first.source === 'bigint';
  // The kernel translates the source behind its last line: what to is not in the trace.
  const anyAddress: ValueSet = isV6 ? [{ first: 0n, last: (1n << 128n) - 1n }] : [{ first: 0, last: 0xffffffff }];
  const anyPort: ValueSet = [{ first: 0, last: 65535 }];
  const packetOf = (header: KernelHeader, isTranslated: boolean) => ({
    source: isTranslated ? anyAddress : single(header.source),
    destination: single(header.destination),
    protocol: single(header.protocol),
    sourcePort: isTranslated && header.sourcePort !== undefined ? anyPort : port(header.sourcePort),
    destinationPort: port(header.destinationPort),
    tcpFlags: undefined,
    icmp: undefined,
  });
  const origin = first.inInterface === undefined ? ('local' as const) : ('forwarded' as const);
  const flow: Flow = {
    packet: packetOf(last, hasSourceNat),
    entry: packetOf(first, false),
    origin,
    hook,
    leg,
    inInterface: last.inInterface,
    outInterface: last.outInterface,
    isBridged: false,
    mark,
    connection: {
      state: 'invalid',
      found: 'new',
      direction: 'original',
      original: undefined,
      destinationBinding: undefined,
      sourceBinding: undefined,
      mark: 0,
      hasSeenReply: false,
      isKnown: false,
    },
    share: one,
    choices: undefined,
    path,
    memory: undefined,
  };
  const notes = { unknown: new Map(), assumed: new Set<string>(), notes: new Set<string>() };
  const missing = steps.filter(({ isMissing }) => isMissing).length;
  if (missing > 0) notes.notes.add(`${missing} of ${steps.length} lines are of rules that the dump does not have`);
  return {
    packet: {
      family: isV6 ? 'ipv6' : 'ipv4',
      protocol: first.protocol,
      source: first.source,
      sourcePort: first.sourcePort,
      destination: first.destination,
      destinationPort: first.destinationPort,
      origin,
      inInterface: first.inInterface,
      inPort: first.inPort,
      flags: first.flags,
      state: undefined,
      mark: first.mark,
    },
    outcomes: [{ first: { flow, end: endOf(steps.at(-1)?.event) }, later: undefined, reply: undefined, share: one }],
    notes,
  };
}

function endOf(last: WalkEvent | undefined): Ended['end'] {
  if (last === undefined) return { kind: 'unknown', why: 'the trace is empty' };
  if (last.verdict === 'drop' || last.policy === 'drop') {
    for (const step of last.rule?.steps ?? [])
      if (step.kind === 'reject') return { kind: 'rejected', rejection: step.rejection };
    return { kind: 'dropped' };
  }
  const isThrough = last.verdict === 'accept' || last.verdict === 'policy';
  if (isThrough && last.hook === 'postrouting') return { kind: 'leaves' };
  if (isThrough && last.hook === 'input') return { kind: 'delivered' };
  return { kind: 'unknown', why: `the trace ends in ${last.hook.toUpperCase()}` };
}
