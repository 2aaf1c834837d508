import type { Origin, Report } from '../../diagnostics/diagnostic.ts';
import { printPath } from '../../diagnostics/printPath.ts';
import type { ReadDocument } from '../json/readJson.ts';
import type { TextMemory } from '../textMemory.ts';
import { parseYaml } from './parseYaml.ts';
import { type DocumentRange, splitDocuments } from './splitDocuments.ts';
import { usualReader } from './usualYaml.ts';
import type { YamlPackage } from './yamlPackage.ts';
import { yamlToJson } from './yamlToJson.ts';

/** How a YAML text is read. */
export interface YamlOptions {
  /** As in `TextOptions`. */
  readonly keepsShortWords?: boolean | undefined;
  /** Of readings of the same kind. */
  readonly memory?: TextMemory | undefined;
}

/**
 * The documents of a YAML text that are sound; those that are not are reported. What is written as usual is read by a
 * reader of our own; the full one is loaded for the rest alone, and goes one document at a time, so that a stream of
 * many objects needs the syntax tree of one.
 */
export async function* readYaml(
  file: string,
  text: string,
  report: Report,
  { keepsShortWords = false, memory }: YamlOptions = {},
): AsyncGenerator<ReadDocument> {
  const control = controlCharacter.exec(text);
  if (control !== null) {
    reportControl(file, text, control.index, report);
    return;
  }
  const readUsual = usualReader(text, keepsShortWords, memory);
  let yaml: YamlPackage | undefined;
  for (const [document, range] of splitDocuments(text).entries()) {
    const usual = memory?.documentOf(text.slice(range.start, range.end)) ?? readUsual(range);
    if (usual !== undefined) {
      memory?.keepDocument(text.slice(range.start, range.end), usual.value);
      yield { document, value: usual.value };
      continue;
    }
    const at = (offset: number): Origin => ({ file, document, path: [], offset: range.start + offset });
    noteVersion(text, range, at, report);
    yaml ??= await import('yaml');
    const { contents, problem } = parseYaml(yaml, text, range);
    if (problem !== undefined) {
      const { code, message, offset, end } = problem;
      const places = end === undefined || end === offset ? [offset] : [offset, end];
      report({ code, severity: 'error', message, at: places.map(at) });
      continue;
    }
    if (contents === null) continue;
    const { value, problems } = yamlToJson(yaml, contents, text.slice(range.start, range.end), keepsShortWords);
    for (const { code, message, offset, path, also, hint } of problems) {
      report({
        code,
        severity: 'error',
        message,
        at: also === undefined ? [at(offset)] : [at(offset), at(also)],
        ...(path.length > 0 ? { path: printPath(path) } : {}),
        ...(hint === undefined ? {} : { hint }),
      });
    }
    // An object with a key twice can still be checked, as if it had the last; other problems would only raise false ones.
    if (problems.every(({ code }) => code === 'duplicate-key')) yield { document, value };
  }
}

/** What YAML 1.1 does not print, line ends and tabs aside. */
const controlCharacter = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ufffe\uffff]/;

function reportControl(file: string, text: string, offset: number, report: Report): void {
  const code = text.charCodeAt(offset);
  const name = code === 0 ? 'NUL' : `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
  const looksUtf16 = code === 0 && (offset === 0 || offset === 1);
  report({
    code: 'control-character',
    severity: 'error',
    message: `control character ${name}: this is not a text of YAML or JSON`,
    at: [{ file, document: 0, path: [], offset }],
    ...(looksUtf16 ? { hint: 'if it is UTF-16, save it as UTF-8' } : {}),
  });
}

/** Looks at the lines before `---` for a `%YAML` of another version than Kubernetes reads. */
function noteVersion(text: string, range: DocumentRange, at: (offset: number) => Origin, report: Report): void {
  for (let line = range.start; line < range.end; ) {
    const newline = text.indexOf('\n', line);
    const next = newline === -1 ? range.end : newline + 1;
    const version = /^%YAML[ \t]+(\S+)/.exec(text.slice(line, Math.min(next, line + 80)))?.[1];
    if (version === undefined && !/[#%\r\n]/.test(text[line] as string)) return;
    if (version !== undefined && version !== '1.1') {
      report({
        code: 'yaml-directive',
        severity: 'warning',
        message: `YAML ${version} is asked for; this is read as YAML 1.1, the only one that Kubernetes reads`,
        at: [at(line - range.start)],
        hint: 'leave the line out: kubectl refuses it',
      });
    }
    line = next;
  }
}
