import type { Branch, Key, NatTarget, Step } from '../../../netfilter/meaning.ts';
import type { NftElement } from '../../../netfilter/nft/ast.ts';
import { patternOf } from '../../../netfilter/nft/meaning/keyMeaning.ts';
import { branchOf, targetOf } from '../../../netfilter/nft/meaning/statementMeaning.ts';
import { isOfOneService } from '../../../walk/input/isOfOneService.ts';
import type {
  WalkChain,
  WalkMember,
  WalkRule,
  WalkSet,
  WalkTable,
  WalkVirtualService,
} from '../../../walk/input/walkInput.ts';
import { conditionText } from './conditionText.ts';
import { keyText, patternText } from './keyTexts.ts';
import { listName } from './listName.ts';
import { nameEndpoint } from './nameEndpoint.ts';
import { nftLinesText } from './nftLinesText.ts';
import { savedEndpointText, savedLinesText } from './savedLinesText.ts';
import { rangeText, standInPortText, targetPortText, valueText } from './standInText.ts';
import type { StandIns, StepWriter } from './stepWriter.ts';

/** Writes rules as text with placeholders for what belongs to one destination. */
export interface StepText {
  readonly rule: (rule: WalkRule) => string;
  readonly element: (element: NftElement, key: Key, table: WalkTable) => string;
  readonly member: (member: WalkMember) => string;
  readonly server: (service: WalkVirtualService) => string;
  /** All rules that were written, in order; complete only if they are kept. */
  readonly rules: WalkRule[];
  readonly writer: StepWriter;
}

/** How a side is written. */
interface StepTextOptions {
  /** They wrote other sides before: chains with the same text there need not be read again. */
  readonly twins?: readonly StepText[];
  /** Rules are asked for: chains are parsed that need not be for their text. */
  readonly keepsRules?: boolean;
}

/** A writer for one side. */
export function createStepText(names: StandIns, { twins = [], keepsRules = false }: StepTextOptions = {}): StepText {
  const writer: StepWriter = {
    names,
    keepsRules,
    rules: [],
    chains: new Map(),
    order: [],
    lists: new Map(),
    written: new Map(),
    networks: [],
    twins: twins.map(({ writer: other }) => other),
  };
  return {
    writer,
    rules: writer.rules,
    rule: (rule) => ruleText(rule, writer),
    element: (element, key, table) => elementText(element, key, table, writer),
    member: ({ parts, isException }) =>
      `${parts.map(({ range, protocol, name }) => `${protocol ?? ''}:${name ?? rangeText(range, writer)}`).join(',')}${isException ? '!' : ''}`,
    server: (service) => serverText(service, writer),
  };
}

function ruleText(rule: WalkRule, writer: StepWriter): string {
  if (writer.keepsRules) writer.rules.push(rule);
  return rule.steps.map((step) => stepText(step, rule.chain.table, writer)).join(';');
}

function stepText(step: Step, table: WalkTable, writer: StepWriter): string {
  switch (step.kind) {
    case 'ask':
      return conditionText(step.condition, table, writer);
    case 'verdict':
    case 'jump':
    case 'goto':
      return branchText(step, table, writer);
    case 'verdictMap':
      return `vmap ${keyText(step.key)} ${
        typeof step.map === 'string'
          ? `@${step.map}`
          : step.map
              .map(({ key, value }) => `${patternText(key, writer)}:${branchText(value, table, writer)}`)
              .join(',')
      }`;
    case 'reject':
      return `reject ${JSON.stringify(step.rejection)}`;
    case 'assign':
      return `${step.target} ${step.keep} ${step.source ?? ''} ${step.take} ${step.flip}`;
    case 'assignFrom': {
      const { target, key, map = '' } = step;
      const found =
        typeof map === 'string'
          ? `@${map}`
          : map.map((one) => `${patternText(one.key, writer)}:${one.value}`).join(',');
      return `${target} ${keyText(key)} ${found}`;
    }
    case 'setHeader':
      return `${step.field} ${step.value}`;
    case 'nat':
      return natText(step, writer);
    case 'zone':
      return `zone ${step.original} ${step.reply}`;
    case 'notrack':
      return 'notrack';
    case 'remember':
      return `${step.operation} ${listName(step.set, table, writer)} ${keyText(step.key)} ${step.timeout ?? ''}`;
    case 'rememberIpset':
      return `${step.operation} ${step.set} ${step.sides.join()}`;
    case 'note':
      return '';
    case 'unknown':
      return `unknown ${step.text}`;
  }
}

function branchText(branch: Branch, table: WalkTable, writer: StepWriter): string {
  if (branch.kind === 'verdict') return branch.verdict;
  const chain = table.chains.get(branch.chain);
  if (chain === undefined) return `${branch.kind} nowhere`;
  const known = writer.chains.get(branch.chain);
  if (known !== undefined) return `${branch.kind} #${known}`;
  const endpoint = endpointText(chain, writer);
  if (endpoint !== undefined) return `${branch.kind} {${endpoint}}`;
  if (!isOfOneService(chain)) return `${branch.kind} ${branch.chain}`;
  return `${branch.kind} {${sameText(chain, writer) ?? chainText(chain, writer)}}`;
}

function chainText(chain: WalkChain, writer: StepWriter): string {
  const { chains, lists } = writer;
  const before = [chains.size, lists.size] as const;
  numberChain(chain, writer);
  const text = linesText(chain, writer) ?? rulesText(chain, writer);
  if (chain.text !== undefined) {
    const members = writer.order.slice(before[0]);
    writer.written.set(chain.name, { text, members, before, behind: [chains.size, lists.size] });
  }
  return text;
}

function rulesText(chain: WalkChain, writer: StepWriter): string {
  const rules = chain.rules();
  // Endpoints get names before rules that match them as senders.
  for (const { steps } of rules) for (const step of steps) if (step.kind === 'nat') nameTarget(step.target, writer);
  return rules.map((rule) => ruleText(rule, writer)).join('\n');
}

/** The same from the chain's lines, where nobody needs the rules. */
function linesText({ text, table }: WalkChain, writer: StepWriter): string | undefined {
  if (text === undefined || writer.keepsRules) return undefined;
  return table.tool === 'iptables'
    ? savedLinesText(text, writer, jumpIn(table, writer))
    : nftLinesText(text, writer, (kind, chain) => branchText({ kind, chain }, table, writer));
}

/** Most chains lead to one endpoint, and their lines say so. */
function endpointText(chain: WalkChain, writer: StepWriter): string | undefined {
  if (chain.text === undefined || writer.keepsRules) return undefined;
  const text = savedEndpointText(chain.text, writer, jumpIn(chain.table, writer));
  if (text !== undefined) numberChain(chain, writer);
  return text;
}

function jumpIn(table: WalkTable, writer: StepWriter): (chain: string) => string {
  return (chain) => branchText({ kind: 'jump', chain }, table, writer);
}

/** What a twin wrote for the chain of this name, if it and all that it leads to are the same here. */
function sameText(chain: WalkChain, writer: StepWriter): string | undefined {
  for (const twin of chain.text === undefined ? [] : writer.twins) {
    const text = textOfTwin(chain, writer, twin);
    if (text !== undefined) return text;
  }
  return undefined;
}

function textOfTwin(
  { name, table }: WalkChain,
  { chains, lists, order }: StepWriter,
  twin: StepWriter,
): string | undefined {
  const written = twin.written.get(name);
  if (written === undefined) return undefined;
  const { members, before, behind, text } = written;
  if (chains.size !== before[0] || lists.size !== before[1]) return undefined;
  const own: WalkChain[] = [];
  for (const member of members) {
    const same = table.chains.get(member.name);
    if (same === undefined || same.text !== member.text) return undefined;
    own.push(same);
  }
  const used = [...twin.lists.keys()].slice(before[1], behind[1]);
  const other = members[0]?.table;
  if (used.some((list) => !isSameSet(table.sets.get(list), other?.sets.get(list)))) return undefined;
  for (const member of own) {
    chains.set(member.name, order.length);
    order.push(member);
  }
  for (const list of used) lists.set(list, lists.size);
  return text;
}

/** What they hold is written too. */
function isSameSet(one: WalkSet | undefined, other: WalkSet | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  return one.timeout === other.timeout && one.elements.length + other.elements.length === 0;
}

function numberChain(chain: WalkChain, { chains, order }: StepWriter): void {
  chains.set(chain.name, order.length);
  order.push(chain);
}

function natText(step: Extract<Step, { kind: 'nat' }>, writer: StepWriter): string {
  const { half, to, target, map, isRandom } = step;
  const mapped =
    map === undefined
      ? ''
      : `${keyText(map.key)} ${
          typeof map.elements === 'string'
            ? `@${map.elements}`
            : map.elements.map(({ key, value }) => `${patternText(key, writer)}:${targetText(value, writer)}`).join(',')
        }`;
  return `${half} ${to} ${targetText(target, writer)} ${mapped} ${isRandom}`;
}

function nameTarget({ addresses }: NatTarget, writer: StepWriter): void {
  if (addresses !== undefined && addresses.first === addresses.last) nameEndpoint(addresses.first, writer);
}

function targetText(target: NatTarget, writer: StepWriter): string {
  const { addresses, ports } = target;
  nameTarget(target, writer);
  const where = addresses === undefined ? '' : rangeText(addresses, writer);
  const isOne = addresses !== undefined && ports !== undefined && ports.first === ports.last;
  const port = isOne
    ? targetPortText(Number(ports.first), writer)
    : ports === undefined
      ? ''
      : `${ports.first}-${ports.last}`;
  return `${where}:${port}`;
}

function elementText(element: NftElement, key: Key, table: WalkTable, writer: StepWriter): string {
  const pattern = patternOf(element.key, key);
  const branch = branchOf(element);
  const target = branch === undefined && element.value !== undefined ? targetOf(element) : undefined;
  const value = branch ? branchText(branch, table, writer) : target ? targetText(target, writer) : '';
  return `${pattern ? patternText(pattern, writer, key) : element.key.join(' . ')} : ${value} ${element.timeout ?? ''}`;
}

function serverText(service: WalkVirtualService, writer: StepWriter): string {
  const { protocol, address, port, scheduler, persistence, servers } = service;
  const all = servers.map((server) => {
    nameEndpoint(server.address, writer);
    return `${valueText(server.address, writer)}:${targetPortText(server.port, writer)} ${server.weight} ${server.forward}`;
  });
  return `ipvs ${protocol} ${valueText(address, writer)} ${standInPortText(port, writer)} ${scheduler} ${persistence ?? ''} ${all.join(',')}`;
}
