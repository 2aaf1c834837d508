import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Diagnostic } from '../../src/diagnostics/diagnostic.ts';
import { renderText } from '../../src/diagnostics/renderText.ts';
import { plainDiagnosticStyle } from '../../src/diagnostics/style.ts';
import { load } from '../../src/load/files/load.ts';
import { createLocator } from '../../src/load/locate.ts';
import { root } from '../support/compileCase.ts';
import { assertGolden } from '../support/golden.ts';

// Each folder is read as a directory is on the command line; what comes of it stands in golden/load/<folder>.txt.
for (const name of readdirSync(join(root, 'fixtures/load'))) {
  test(`reads fixtures/load/${name}`, async () => {
    const diagnostics: Diagnostic[] = [];
    const { objects, sources } = await load([join(root, 'fixtures/load', name)], { recursive: false }, (diagnostic) =>
      diagnostics.push(diagnostic),
    );
    const locate = await createLocator(
      sources,
      diagnostics.flatMap(({ at }) => at),
    );
    const lines = objects.map(({ apiVersion, kind, origin, value }) => {
      const place = `${origin.file}#${origin.document} ${JSON.stringify(origin.path)}`;
      return `${place} ${apiVersion} ${kind} ${JSON.stringify(value)}\n`;
    });
    const rendered = renderText(diagnostics, locate, plainDiagnosticStyle);
    const text = `${lines.join('')}\n${rendered}`;
    assert.doesNotMatch(rendered, /[\0-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e]/);
    assertGolden(`load/${name}.txt`, text.replaceAll(`${root}/`, '').replaceAll(root, '.'));
    assert.equal(Object.hasOwn(Object.prototype, 'polluted'), false);
  });
}
