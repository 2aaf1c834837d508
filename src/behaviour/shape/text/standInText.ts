import type { Value, ValueRange } from '../../../common/ranges/valueRange.ts';
import { addressPattern } from '../../../netfilter/addressRanges.ts';
import type { Field } from '../../../netfilter/meaning.ts';
import type { StepWriter } from './stepWriter.ts';

export function fieldText(field: Field, range: ValueRange, writer: StepWriter): string {
  if (field === 'destinationPort' || field === 'originalDestinationPort') {
    return range.first === range.last ? standInPortText(range.first, writer) : `${range.first}-${range.last}`;
  }
  if (field === 'destination' && range.first === range.last) return destinationText(range.first, writer);
  return field === 'protocol' || field === 'mark' || field === 'connectionMark'
    ? `${range.first}-${range.last}`
    : rangeText(range, writer);
}

export function rangeText(range: ValueRange, writer: StepWriter): string {
  const { first, last } = range;
  if (first === last) return valueText(first, writer);
  writer.networks.push(range);
  return `${first}-${last}`;
}

/** `10.0.0.0/8`, `10.0.0.1-10.0.0.9`, which stays as it is. */
export function noteNetwork(text: string, writer: StepWriter): void {
  const pattern = addressPattern(text);
  if (pattern !== undefined) writer.networks.push({ ...pattern.range, mask: pattern.mask });
}

export function valueText(value: Value, { names }: StepWriter): string {
  if (value === names.address) return '$A';
  const endpoint = names.endpoints.get(value);
  return endpoint === undefined ? String(value) : `$E${endpoint}`;
}

export function destinationText(value: Value, writer: StepWriter): string {
  const { address, endpoints, others } = writer.names;
  if (value === address || endpoints.has(value)) return valueText(value, writer);
  let number = others.get(value);
  if (number === undefined) {
    number = others.size;
    others.set(value, number);
  }
  return `$D${number}`;
}

/** A port that packets are sent on to. */
export function targetPortText(port: number, writer: StepWriter): string {
  const { port: own, targetPorts, isFixedPort } = writer.names;
  if (port === own || isFixedPort(port)) return standInPortText(port, writer);
  let number = targetPorts.get(port);
  if (number === undefined) {
    number = targetPorts.size;
    targetPorts.set(port, number);
  }
  return `$T${number}`;
}

export function standInPortText(port: Value, { names }: StepWriter): string {
  return port === names.port ? '$P' : String(port);
}
