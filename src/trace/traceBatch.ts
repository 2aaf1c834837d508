import type { FindMet } from './metFindings.ts';
import type { NodeTracer } from './nodeTracer.ts';
import type { PacketQuestion } from './question/askPacket.ts';
import { readAllSeen } from './question/readAllSeen.ts';
import { traceJson } from './show/traceJson.ts';
import type { TraceConditions } from './tracer.ts';

/** One answer for each line, in order; `isWalked` is false for a line that could not be walked; its answer says why. */
export function* traceBatch(
  tracer: NodeTracer,
  text: string,
  conditions: TraceConditions,
  findMet: FindMet,
): Iterable<{ readonly answer: object; readonly isWalked: boolean }> {
  for (const line of text.split('\n')) {
    if (line.trim() === '') continue;
    const question = readLine(line);
    const id = question?.id;
    const refused = (error: string) => ({ answer: { id: id ?? null, error }, isWalked: false });
    if (question === undefined || question.from === undefined || question.to === undefined) {
      yield refused(question === undefined ? 'not a JSON object' : 'no from or no to');
      continue;
    }
    const seen = readAllSeen(question.seen ?? []);
    if ('kind' in seen) {
      yield refused(seen.message);
      continue;
    }
    const result = tracer.trace(question as PacketQuestion, { ...conditions, seen: [...conditions.seen, ...seen] });
    if ('kind' in result) yield refused(result.message);
    else
      yield {
        answer: traceJson(result, tracer.endpointNames(result.packet.family), { id, findings: findMet(result) }),
        isWalked: true,
      };
  }
}

type Line = Partial<PacketQuestion> & { readonly id?: unknown; readonly seen?: readonly string[] };

/** Values that should be texts and are not are printed as they are. */
function readLine(line: string): Line | undefined {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const { id, seen, ...rest } = value as Readonly<Record<string, unknown>>;
  const texts = Object.entries(rest).flatMap(([key, each]) =>
    typeof each === 'string' || typeof each === 'number' ? [[key, String(each)]] : [],
  );
  const list = typeof seen === 'string' ? [seen] : Array.isArray(seen) ? seen.map(String) : undefined;
  return { ...Object.fromEntries(texts), ...(id !== undefined && { id }), ...(list && { seen: list }) };
}
