import { isTyped } from '../../netfilter/isTyped.ts';
import type { ReportLine } from '../../netfilter/lineProblem.ts';
import type { BridgePort } from '../../node/nodeRules.ts';
import type { DumpFile } from '../dumpFile.ts';

/**
 * Reads `bridge -d link`: a line with a port and its bridge (`5: veth1@if2: <…> mtu 1450 master cni0 state forwarding
 * …`), then lines with its settings, `hairpin off` among them; with `-o` all in one line. Other lines are reported.
 */
export function readBridge(file: DumpFile, report: ReportLine): readonly BridgePort[] {
  const ports: BridgePort[] = [];
  let open: Omit<BridgePort, 'isHairpin'> | undefined;
  for (const [at, raw] of file.text.split('\n').entries()) {
    const line = raw.trim();
    if (line === '' || line.startsWith('#') || isTyped(line, 'bridge')) continue;
    const head = /^\d+: ([^\s:@]+)(?:@([^\s:]+))?: <[^>]*> /.exec(line);
    if (head === null && (!/^\s/.test(raw) || !settings.test(line))) {
      report({ line: at + 1, column: raw.indexOf(line) + 1, word: line, message: 'not a port of a bridge' });
      continue;
    }
    const words = line.split(/\s+/);
    if (head !== null) {
      const [, name = '', peer = ''] = head;
      const bridge = words.includes('master') ? words[words.indexOf('master') + 1] : undefined;
      // A peer in another namespace may appear under the name of the device that has its number here.
      const isVeth = /^veth/.test(name) || /^if\d+$/.test(peer);
      open = bridge === undefined ? undefined : { name, bridge, isVeth, file: file.name, line: at + 1 };
    }
    const hairpin = words.includes('hairpin') ? words[words.indexOf('hairpin') + 1] : undefined;
    if (open === undefined || (hairpin !== 'on' && hairpin !== 'off')) continue;
    ports.push({ ...open, isHairpin: hairpin === 'on' });
    open = undefined;
  }
  return ports;
}

/** `hairpin off guard off …`, `vlan_tunnel off`: pairs of words. */
const settings = /^[a-z][a-z_0-9]* \S/;
