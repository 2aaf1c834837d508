import assert from 'node:assert/strict';
import { it } from 'node:test';
import { podCommands } from '../../src/aid/podState.ts';

it('commands name a container of a Pod, and nothing that is no name of one', () => {
  const commands = (name: string) =>
    podCommands({
      metadata: { name: 'web', namespace: 'shop' },
      status: {
        containerStatuses: [
          { name, state: { waiting: { reason: 'CrashLoopBackOff' } } },
          { name: 'beside', state: { running: {} } },
        ],
      },
    });
  assert.match(commands('web-1'), /logs web -c web-1 --previous`$/);
  for (const name of ['x; reboot', '$(reboot)', '`reboot`', '-c', 'a\nb', '']) {
    assert.match(commands(name), /logs web --all-containers --previous`$/, name);
    assert.doesNotMatch(commands(name), /reboot|\n/);
  }
});
