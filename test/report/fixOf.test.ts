import assert from 'node:assert/strict';
import { it } from 'node:test';
import { makeFinding } from '../../src/findings/makeFinding.ts';
import { fixOf } from '../../src/report/fixOf.ts';

it('fills the Service into commands, and only into those', () => {
  const of = (service?: string) => fixOf(makeFinding('K8N501', { seen: '', ...(service && { service }) }));
  assert.match(of('shop/web:http'), /`kubectl -n shop describe service web`/);
  assert.match(of('shop/web:http'), /`kubectl -n shop get pods -o wide --show-labels`/);
  assert.match(of('shop/web'), /`kubectl -n shop describe service web`/);
  assert.match(of(), /`kubectl -n NAMESPACE describe service NAME`/);
  const fix = fixOf(makeFinding('K8N902', { seen: '', service: 'shop/web' }));
  assert.match(fix, /-n shop get pods -o custom-columns=NAME:\.metadata/);
});

it('puts nothing into a command that is no name', () => {
  for (const service of ['shop/$(reboot)', 'a;b/web', 'shop/web x', '-n/--all'])
    assert.match(fixOf(makeFinding('K8N501', { seen: '', service })), /-n NAMESPACE describe service NAME`/);
});
