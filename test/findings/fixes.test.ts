import assert from 'node:assert/strict';
import { it } from 'node:test';
import { findingCatalogue } from '../../src/findings/findingCatalogue.ts';

/** Fixes for which there is no command. */
const withoutCommand: Readonly<Record<string, string>> = {
  K8N206: 'nothing to do',
  K8N306: 'nothing to do',
  K8N704: 'an upgrade of kube-proxy goes with that of the cluster',
  K8N705: 'nothing to do',
  K8N904: 'nothing to do',
};

const program =
  /`(?:kubectl|systemctl|iptables(?:-save|-legacy-save)?|nft|sysctl|conntrack|ipvsadm|modprobe|bridge|ethtool|firewall-cmd|cilium|k8snet) [^`]+`/;

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
