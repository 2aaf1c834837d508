import { familyOf } from '../common/addresses/ip.ts';
import { ipPort } from '../common/addresses/ipPort.ts';
import type { FixNames } from './fixNames.ts';

/**
 * A fix with real names in its commands, ready for pasting into a shell. Unknown names, and names with special
 * characters, stay a word in capitals: a shell does nothing with it, and no node, Pod or Service has such a name.
 */
export function fillFix(fix: string, names: FixNames): string {
  return fix.replace(/`[^`]+`/g, (command) => command.replace(words, (word) => nameFor(word, command, names) ?? word));
}

/** Column titles (`NAME:.metadata.name`) and parts of longer words (`NODE-PORT`) do not count. */
const words =
  /(?<![\w.-])(?:ADDRESS:PORT|CLUSTER-RANGE|POD-RANGE|NAMESPACE|NAME|SLICE|NODE|POD|ADDRESS|PORT)(?![\w-]|:\.)/g;

function nameFor(word: string, command: string, names: FixNames): string | undefined {
  const { node, proxyPod, podRanges = [], clusterRanges = [], service = '', slice = '', address, port } = names;
  switch (word) {
    case 'NODE':
      return plain(node);
    case 'POD':
      return plain(proxyPod);
    case 'POD-RANGE':
      return plain(rangeFor(command, podRanges));
    case 'CLUSTER-RANGE':
      return plain(rangeFor(command, clusterRanges));
    case 'ADDRESS':
      return plain(address);
    case 'PORT':
      return isPort(port) ? String(port) : undefined;
    case 'ADDRESS:PORT':
      return endOf(plain(address), port);
    case 'SLICE':
      return objectName.exec(slice)?.[2];
    case 'NAMESPACE':
      return (objectName.exec(service) ?? objectName.exec(slice))?.[1];
    default:
      return objectName.exec(service)?.[2];
  }
}

/** A dump may contain anything instead of a name. */
const objectName = /^([a-z0-9][a-z0-9-]*)\/([a-z0-9][a-z0-9.-]*)(?::|$)/;

/** The name contains nothing that a shell interprets, and is not an option. */
function plain(name: string | undefined): string | undefined {
  return name !== undefined && /^[a-z0-9:][a-z0-9.:/-]{0,252}$/.test(name) ? name : undefined;
}

function isPort(port: number | undefined): port is number {
  return port !== undefined && Number.isInteger(port) && port > 0;
}

/** Shells treat brackets as a pattern. */
function endOf(address: string | undefined, port: number | undefined): string | undefined {
  if (address === undefined || !isPort(port)) return undefined;
  const end = ipPort(address, port);
  return end.startsWith('[') ? `'${end}'` : end;
}

/** The tool determines the family; a command for both can only take one range. */
function rangeFor(command: string, ranges: readonly string[]): string | undefined {
  const family = /\b(?:ip6tables|ip6 [sd]addr)\b/.test(command)
    ? 'ipv6'
    : /\b(?:iptables|ip [sd]addr)\b/.test(command)
      ? 'ipv4'
      : undefined;
  const fitting = ranges.filter((range) => family === undefined || familyOf(range.replace(/\/.*/, '')) === family);
  return fitting.length === 1 ? fitting[0] : undefined;
}
