import { placeText } from '../../node/lines/placeText.ts';
import { arrives } from '../../trace/traceResult.ts';
import { isHostAddress } from '../../walk/isHostAddress.ts';
import type { CauseDraft } from '../cause.ts';
import { fact } from '../evidence.ts';
import { isPrivate } from '../isPrivate.ts';
import type { WhyQuestion } from '../whyQuestion.ts';

/** The dump has no rule of kube-proxy, and the packet may be for a Service: its way proves nothing. */
export function withoutProxy(question: WhyQuestion): CauseDraft | undefined {
  const { absence } = question.known;
  if (absence === undefined || !mayBeService(question)) return undefined;
  return {
    code: 'no-kube-proxy',
    what: `${absence.what[0]?.toUpperCase()}${absence.what.slice(1)}. ${absence.why}`,
    evidence: absence.found.map((place) => fact(placeText(place))),
    fix: absence.fix,
  };
}

/**
 * An address that is not known to be a Pod's, a node's or public counts as a Service's if the packet goes nowhere else.
 */
function mayBeService({ result, input, known }: WhyQuestion): boolean {
  const { destination, destinationPort = 0 } = result.packet;
  if (known.destination !== undefined) return true;
  if (isHostAddress(destination, input)) return destinationPort >= 30_000 && destinationPort <= 32_767;
  const { pods, hosts } = input.topology;
  if ([...pods, ...hosts].some(({ addresses }) => addresses.includes(destination))) return false;
  if (known.hasObjects || !isPrivate(destination)) return false;
  return result.outcomes.some(
    ({ first }) => !arrives(first.end) || first.flow.connection.destinationBinding?.address === undefined,
  );
}
