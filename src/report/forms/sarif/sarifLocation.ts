import { relativeFile } from '../../relativeFile.ts';

/** A place in a file in SARIF's form; undefined if the text has no name, like that of standard input. */
export function sarifLocation(
  file: string,
  region: Record<string, number> | undefined,
  baseFolder: string | undefined,
): Record<string, unknown> | undefined {
  const name = relativeFile(file, baseFolder);
  if (name === undefined) return undefined;
  const artifactLocation = { uri: uriOf(name) };
  return { physicalLocation: { artifactLocation, ...(region === undefined ? {} : { region }) } };
}

/** A relative reference, or a file URI for a name from the root. */
function uriOf(name: string): string {
  const path = name
    .replace(/[\ud800-\udfff]/gu, '\ufffd')
    .split('/')
    .map(encodeURIComponent)
    .join('/');
  return path.startsWith('/') ? `file://${path}` : path;
}
