import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { base32Prefix, writeBase32 } from '../../src/common/base32.ts';

test('hashes of chain names are the recorded ones', () => {
  assert.equal(base32Prefix('app/web/tcp/http', 8), '5F52KD4Z');
  assert.equal(base32Prefix('app/web:httptcp', 16), 'GSODGFK7F4BKZ7VG');
  assert.equal(base32Prefix('app/web/tcp/http__10.244.1.10/8080', 8), '3EOZJ77O');
});

test('every length up to 48 agrees with a bit by bit encoding', () => {
  for (let length = 0; length <= 48; length += 1) {
    const text = `namespace/näme:${length}`;
    assert.equal(base32Prefix(text, length), slowly(text).slice(0, length));
    if (length % 4 > 0) continue;
    const bytes = new Uint8Array(60);
    writeBase32(text, length, bytes, 7);
    assert.equal(String.fromCharCode(...bytes.slice(7, 7 + length)), base32Prefix(text, length));
    assert.ok(bytes.every((byte, at) => byte === 0 || (at >= 7 && at < 7 + length)));
  }
});

function slowly(text: string): string {
  const bits = [...createHash('sha256').update(text).digest()]
    .map((byte) => byte.toString(2).padStart(8, '0'))
    .join('');
  const characters = bits.match(/.{5}/g) ?? [];
  return characters.map((five) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'[Number.parseInt(five, 2)]).join('');
}
