import * as yaml from 'yaml';
import { parseYaml } from '../../src/load/yaml/parseYaml.ts';
import { type DocumentRange, splitDocuments } from '../../src/load/yaml/splitDocuments.ts';
import { usualReader } from '../../src/load/yaml/usualYaml.ts';
import { yamlToJson } from '../../src/load/yaml/yamlToJson.ts';

/** What the full reader says of a document: its value as JSON, or the first complaint. */
function fullYaml(text: string, range: DocumentRange, keepsShortWords: boolean): string {
  const { contents, problem } = parseYaml(yaml, text, range);
  if (problem !== undefined) return `problem: ${problem.message}`;
  if (contents === null) return 'null';
  const { value, problems } = yamlToJson(yaml, contents, text.slice(range.start, range.end), keepsShortWords);
  return problems[0] === undefined ? JSON.stringify(value) : `problem: ${problems[0].message}`;
}

/** The documents of a text that the usual reader takes, and those of which it says something else than the full one. */
export function compareYaml(
  text: string,
  keepsShortWords = false,
): { usual: number; all: number; different: string[] } {
  const read = usualReader(text, keepsShortWords);
  const different: string[] = [];
  let usual = 0;
  const ranges = splitDocuments(text);
  for (const range of ranges) {
    const taken = read(range);
    if (taken === undefined) continue;
    usual += 1;
    const [own, full] = [JSON.stringify(taken.value), fullYaml(text, range, keepsShortWords)];
    if (own !== full)
      different.push(`${JSON.stringify(text.slice(range.start, range.end))}\n  usual: ${own}\n  full:  ${full}`);
  }
  return { usual, all: ranges.length, different };
}
