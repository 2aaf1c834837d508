import { pushAll } from '../../common/pushAll.ts';
import { jsonString } from '../../common/text/jsonString.ts';
import type { DnsRecord } from './dnsRecord.ts';
import type { Question, Resolution } from './resolveName.ts';

/** A resolution for people: what the resolver knows, its steps, the records it got. */
export function resolutionText({ name, type, search, ndots, resolver }: Question, resolution: Resolution): string {
  const lines = [`# ${name} ${type}: search ${search.join(' ') || '(none)'}, ndots ${ndots}, ${resolver}`];
  for (const [index, step] of resolution.steps.entries()) {
    lines.push(`${index + 1}. ${step.name} ${step.type} ${step.result}`);
  }
  const other = resolution.steps.find(({ otherTypes }) => otherTypes !== undefined);
  if (other?.otherTypes !== undefined)
    lines.push(
      `# ${other.name} has records of type ${other.otherTypes.join(', ')}: ask with --type ${other.otherTypes[0]}`,
    );
  pushAll(lines, outcome(resolution));
  return `${lines.join('\n')}\n`;
}

function outcome({ answer, assumed, result }: Resolution): readonly string[] {
  const records = answer.map(recordLine);
  if (result === 'found') return records;
  if (result === 'not-found') return ['# not found'];
  const why = records.length > 0 ? 'the rest of the answer' : 'the answer';
  return [
    ...records,
    `# ${why} comes from upstream servers${assumed.length > 1 ? ', if they have no earlier name' : ''}`,
  ];
}

function recordLine({ name, ttl, type, data }: DnsRecord): string {
  return `${name} ${ttl} IN ${type} ${data}`;
}

/** The same for programs. */
export function resolutionJson(question: Question, resolution: Resolution): string {
  const { name, type, search, ndots, resolver } = question;
  const steps = resolution.steps.map(({ otherTypes: _, ...step }) => step);
  const value = { schema: 'k8snet.resolve/v1', query: name, type, search, ndots, resolver, ...resolution, steps };
  return jsonString(value);
}
