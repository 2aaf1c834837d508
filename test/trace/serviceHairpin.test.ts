import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runCli } from '../support/runCli.ts';

/** Elements of `hairpin-connections` name no Service: they are of those whose endpoints they are. */
test('rules of one Service hold its own endpoints that may reach themselves', () => {
  const about = ['-f', 'fixtures/services/affinity-lb-nodeport/manifests.yaml', '--node', 'node-1', '-q'];
  for (const version of ['1.36', '1.37']) {
    const args = ['compile', ...about, '--mode', 'nftables', '--kube-version', version, '--family', 'ipv4'];
    const whole = runCli([...args, '-o', 'save']).stdout;
    const elements = hairpins(whole);
    assert.ok(elements.length > 0);
    const names = [
      ...new Set([...whole.matchAll(/\tchain service-[A-Z0-9]{8}-([^/]+\/[^/]+)\//g)].map(([, name]) => name)),
    ];
    const found = names.flatMap((name) => hairpins(runCli([...args, '--service', name ?? '']).stdout));
    assert.deepEqual([...new Set(found)].sort(), [...elements].sort());
  }
});

function hairpins(text: string): readonly string[] {
  const [, block = ''] = /\tset hairpin-connections \{\n(.*?)\n\t\}/s.exec(text) ?? [];
  return block.match(/\S+ \. \S+ \. (?:tcp|udp|sctp) \. \d+/g) ?? [];
}
