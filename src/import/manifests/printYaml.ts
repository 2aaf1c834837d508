import { ipv4Number } from '../../common/addresses/ip.ts';
import type { ImportedManifest, Remarks } from './manifest.ts';

/**
 * Manifests as documents of YAML, in pieces, with the remarks on their fields as comments. Texts are quoted wherever any
 * version of YAML could take them for something else.
 */
export function* printYaml(manifests: Iterable<ImportedManifest>, head: readonly string[]): Iterable<string> {
  yield head.map((line) => `# ${line}\n`).join('');
  let piece = '';
  for (const { value, remarks } of manifests) {
    piece += `---\n${fieldsOf(value, '', remarks)}`;
    if (piece.length < pieceLength) continue;
    yield piece;
    piece = '';
  }
  yield piece;
}

const pieceLength = 1 << 16;

/** The fields of an object, whose names are our own, each on a line of its own or more; `indent` stands before each but the first. */
function fieldsOf(value: object, indent: string, remarks: Remarks): string {
  const own = remarks.get(value);
  let text = '';
  let before = '';
  for (const key in value) {
    const field = (value as Readonly<Record<string, unknown>>)[key];
    const remark = own?.get(key);
    const comment = remark === undefined ? '' : `  # ${remark}`;
    text += `${before}${key}:${behindKey(field, indent, comment, remarks)}`;
    before = indent;
  }
  for (const [key, remark] of own ?? []) {
    if (key in value) continue;
    text += `${before}# ${key}: ${remark}\n`;
    before = indent;
  }
  return text === '' ? '{}\n' : text;
}

function behindKey(value: unknown, indent: string, comment: string, remarks: Remarks): string {
  if (Array.isArray(value)) return listOf(value, indent, comment, remarks);
  if (typeof value !== 'object' || value === null) return ` ${scalar(value)}${comment}\n`;
  const isEmpty = Object.keys(value).length === 0 && remarks.get(value) === undefined;
  const deeper = `${indent}  `;
  return isEmpty ? ` {}${comment}\n` : `${comment}\n${deeper}${fieldsOf(value, deeper, remarks)}`;
}

function listOf(list: readonly unknown[], indent: string, comment: string, remarks: Remarks): string {
  if (list.length === 0) return ` []${comment}\n`;
  let text = `${comment}\n`;
  const deeper = `${indent}  `;
  for (const item of list) {
    const isObject = typeof item === 'object' && item !== null;
    text += `${indent}- ${isObject ? fieldsOf(item, deeper, remarks) : `${scalar(item)}\n`}`;
  }
  return text;
}

function scalar(value: unknown): string {
  if (typeof value !== 'string') return String(value);
  return isPlain(value) ? value : JSON.stringify(value);
}

/** Words with a letter first, and IPv4 addresses and networks, which no reader takes for numbers. */
function isPlain(text: string): boolean {
  if (ipv4Number(text) >= 0) return true;
  if (/^[A-Za-z][A-Za-z0-9_./-]*$/.test(text)) return !reserved.test(text);
  return /^\d{1,3}(?:\.\d{1,3}){3}\/\d{1,2}$/.test(text);
}

/** Truth values and nothing, in YAML 1.1 and 1.2. */
const reserved = /^(?:y|n|yes|no|on|off|true|false|null|nan|inf)$/i;
