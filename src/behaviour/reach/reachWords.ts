import type { Value } from '../../common/ranges/valueRange.ts';
import type { ValueSet } from '../../common/ranges/valueSet.ts';
import { protocolName } from '../../trace/question/protocolName.ts';
import { addressText, endText } from '../../walk/values/text.ts';
import { addressWords } from '../outcome/addressWords.ts';
import type { BehaviourOutcome } from '../outcome/outcome.ts';
import { prefixTexts } from '../outcome/prefixTexts.ts';
import type { SenderKind } from '../packets/senderKinds.ts';
import type { ReachClass, ReachRow } from './reach.ts';

/** The outcome of a class, in words that fit a cell; `ends` says who answers. */
export function reachWords({ outcome: { outcomes, isOpen }, packet }: ReachClass, ends: string): string {
  const all = [...outcomes.values()].map(({ outcome }) => outcome);
  const arrives = all.filter(({ kind }) => kind === 'arrives');
  const words = new Set(all.filter(({ kind }) => kind !== 'arrives').map((outcome) => otherWords(outcome)));
  const answered = arrives.length === 0 ? [] : [`${ends} ${sourceWords(arrives, packet.source)}`];
  return `${isOpen ? 'perhaps ' : ''}${[...answered, ...[...words].sort()].join(' or ')}`;
}

/** All that `reachWords` says where endpoints alone answer. */
export const sourceSays: ReadonlySet<string> = new Set(['own', 'masq', 'own, itself masq', 'own or masq']);

/** The source address that the endpoints see. For an endpoint that meets itself it is usually a different one. */
function sourceWords(arrives: readonly BehaviourOutcome[], sender: Value): string {
  const masked = arrives.filter(({ isMasqueraded }) => isMasqueraded);
  if (masked.length === 0) return 'own';
  if (masked.length === arrives.length) return 'masq';
  return masked.every(({ at }) => at?.address === sender) ? 'own, itself masq' : 'own or masq';
}

function otherWords({ kind }: BehaviourOutcome): string {
  switch (kind) {
    case 'leaves':
      return 'untranslated';
    case 'node':
      return 'the node itself';
    case 'unroutable':
      return 'no route';
    default:
      return kind;
  }
}

/**
 * `10.244.1.5:8080 33.3 %`: the endpoints that answer, with their shares if these differ, and how long a sender stays.
 */
export function endpointTexts({ outcome: { outcomes, isOpen } }: ReachClass): readonly string[] {
  const arrives = [...outcomes.values()].filter(({ outcome }) => outcome.kind === 'arrives');
  const shares = new Set(arrives.map(({ share }) => share.toFixed(4)));
  return arrives
    .map(({ outcome: { at, staysFor }, share }) => {
      const part = isOpen || shares.size === 1 ? '' : ` ${(share * 100).toFixed(1)} %`;
      const stays =
        staysFor === undefined
          ? ''
          : Number.isFinite(staysFor)
            ? ` (again for ${staysFor / 1000} s)`
            : ' (again always)';
      return `${at === undefined ? '' : endText(at.address, at.port)}${part}${stays}`;
    })
    .sort();
}

/** `10.96.0.10:80/tcp`, or the rest of an address. */
function destinationText({ destination, classes }: ReachRow): string {
  const { address, use, protocolPorts } = destination;
  if (use === 'other') return `${endText(address, undefined)}, any other port`;
  const [protocolPort] = protocolPorts;
  const packet = classes[0]?.packet;
  return `${endText(address, protocolPort?.port)}/${protocolName(protocolPort?.protocol ?? packet?.protocol ?? 0)}`;
}

export function rowName(row: ReachRow): string {
  return `${addressWords[row.name.kind]} ${destinationText(row)}`;
}

/** Where the senders of a class are. Among several classes of one entrance, the largest is called all others. */
export function sourceText(one: ReachClass, among: readonly ReachClass[] = []): string {
  const { sources, packet } = one;
  if (sources.length === 0) return addressText(packet.source);
  const isMost = among.length > 1 && among.every((other) => sizeOf(other.sources) <= sizeOf(sources));
  const isTied = among.some((other) => other !== one && sizeOf(other.sources) === sizeOf(sources));
  return isMost && !isTied ? 'all others' : prefixTexts(sources, mostPrefixes).join(', ');
}

const mostPrefixes = 4;

function sizeOf(set: ValueSet): number {
  return set.reduce((sum, { first, last }) => sum + Number(last) - Number(first) + 1, 0);
}

/** Classes of one entrance, the answered ones first. */
export function classesFrom({ classes }: ReachRow, kind: SenderKind): readonly ReachClass[] {
  const own = classes.filter(({ entrance }) => entrance === kind);
  const isAnswered = (one: ReachClass) =>
    [...one.outcome.outcomes.values()].some(({ outcome }) => outcome.kind === 'arrives');
  return [...own.filter(isAnswered), ...own.filter((one) => !isAnswered(one))];
}
