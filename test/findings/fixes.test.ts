import assert from 'node:assert/strict';
import { it } from 'node:test';
import { findingCatalogue } from '../../src/problems/findingCatalogue.ts';

/** Fixes for which there is no command. */
const withoutCommand: Readonly<Record<string, string>> = {
  K8N206: 'nothing to do',
  K8N222: 'nothing to do',
  K8N306: 'nothing to do',
  K8N704: 'an upgrade of kube-proxy goes with that of the cluster',
  K8N705: 'nothing to do',
  K8N904: 'nothing to do',
};

const program =
  /`(?:kubectl|systemctl|iptables(?:-save|-legacy-save)?|nft|sysctl|conntrack|ipvsadm|modprobe|bridge|ethtool|ip|firewall-cmd|cilium|k8snet) [^`]+`/;

it('names a command in every fix, unless there is none', () => {
  for (const [id, { fix }] of Object.entries(findingCatalogue)) {
    if (id in withoutCommand) assert.doesNotMatch(fix, program, `${id} names a command now`);
    else assert.match(fix, program, id);
    assert.match(fix, /^(?:`|[A-Z]).*[.…]$/, `${id} is no sentence`);
    assert.doesNotMatch(fix, /undefined|\$\{|\.\.(?!\.)/, id);
  }
});

it('knows each finding that it leaves out', () => {
  for (const id of Object.keys(withoutCommand)) assert.ok(id in findingCatalogue, id);
});

/** Words that reports fill in, and those that only the reader can know. */
const filledIn = ['NODE', 'NAMESPACE', 'NAME', 'POD', 'POD-RANGE', 'CLUSTER-RANGE', 'ADDRESS', 'PORT', 'SLICE'];
const readersOwn = ['FAMILY', 'TABLE', 'CHAIN', 'NUMBER', 'ENDPOINT', 'INTERFACE', 'VERSION'];
const foreign = /^(?:KUBE|CNI|DOCKER)-|^(?:ACCEPT|RETURN|FORWARD|INPUT|PREROUTING|POSTROUTING|NS|NAME|IPS|PODS|PORTS)$/;

it('has words in capitals in commands only where they stand for something', () => {
  const known = new Set([...filledIn, ...readersOwn]);
  for (const [id, { fix }] of Object.entries(findingCatalogue)) {
    for (const [command] of fix.matchAll(/`[^`]+`/g)) {
      for (const [word] of command.matchAll(/(?<![\w-])[A-Z][A-Z-]*[A-Z](?![\w-])/g))
        assert.ok(known.has(word) || foreign.test(word), `${id}: ${word} in ${command}`);
    }
  }
});
