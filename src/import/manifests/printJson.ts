import type { ImportedManifest } from './manifest.ts';

/** Manifests as a List, as `kubectl get -o json` prints several objects, in pieces. JSON has no place for remarks. */
export function* printJson(manifests: Iterable<ImportedManifest>): Iterable<string> {
  yield '{\n  "apiVersion": "v1",\n  "kind": "List",\n  "items": [';
  let piece = '';
  let separator = '';
  for (const { value } of manifests) {
    piece += `${separator}\n${JSON.stringify(value, null, 2).replace(/^/gm, '    ')}`;
    separator = ',';
    if (piece.length < pieceLength) continue;
    yield piece;
    piece = '';
  }
  yield `${piece}\n  ]\n}\n`;
}

const pieceLength = 1 << 16;
