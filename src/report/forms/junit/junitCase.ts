import { escapeMarkup } from '../escapeMarkup.ts';

/** How a test case ended: it failed, or it passed, perhaps with a message. */
export type JunitResult =
  | { readonly kind: 'failure'; readonly type: string; readonly message: string; readonly lines: readonly string[] }
  | { readonly kind: 'output'; readonly lines: readonly string[] };

/** A test case of JUnit's XML, indented as part of a suite. */
export function junitCase(name: string, className: string, result: JunitResult): string {
  const text = result.lines.map(escapeMarkup).join('\n');
  const inside =
    result.kind === 'failure'
      ? `<failure type="${escapeMarkup(result.type)}" message="${escapeMarkup(result.message)}">${text}</failure>`
      : `<system-out>${text}</system-out>`;
  return `    <testcase name="${escapeMarkup(name)}" classname="${escapeMarkup(className)}" time="0">\n      ${inside}\n    </testcase>\n`;
}
