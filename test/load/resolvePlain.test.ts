import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Diagnostic } from '../../src/diagnostics/diagnostic.ts';
import { readDocuments } from '../../src/load/files/readDocuments.ts';
import { root } from '../support/compileCase.ts';

interface Recorded {
  readonly yaml: string;
  readonly json?: string;
  readonly error?: string;
}

// Recorded from sigs.k8s.io/yaml 1.4.0, the reader of kubectl and the API server: YAMLToJSON of every text.
const recorded: readonly Recorded[] = JSON.parse(readFileSync(join(root, 'golden/recorded/load/go-yaml.json'), 'utf8'));

test('YAML means what it means to Kubernetes', async () => {
  assert.ok(recorded.length > 200);
  for (const { yaml, json } of recorded) {
    const errors: Diagnostic[] = [];
    const { documents } = await readDocuments(['-'], { recursive: false, stdin: () => yaml }, (diagnostic) => {
      if (diagnostic.severity === 'error') errors.push(diagnostic);
    });
    if (json === undefined) {
      assert.notEqual(errors.length, 0, `${yaml} is refused`);
    } else {
      assert.deepEqual(errors, [], yaml);
      // Through JSON, for `__proto__` keys and -0.
      assert.deepEqual(JSON.parse(JSON.stringify(documents[0]?.value ?? null)), JSON.parse(json), yaml);
    }
  }
});

test('tags that Kubernetes drops are refused: they mean something to the tool that wrote them', async () => {
  for (const yaml of ['a: !Ref x', 'a: !!foo 80', 'a: !custom [1]']) {
    const codes: string[] = [];
    await readDocuments(['-'], { recursive: false, stdin: () => yaml }, ({ code }) => codes.push(code));
    assert.deepEqual(codes, ['yaml-tag'], yaml);
  }
});
