import { isCidr } from '../../common/addresses/cidr.ts';
import { familyOf } from '../../common/addresses/ip.ts';

/**
 * Whether the text is all of a member of a set of the type, as `ipset save` prints it: what is left of one in a line that
 * was cut has fewer parts than the type, or one that is not of its kind. Nobody cut a member with more parts.
 */
export function isMember(type: string, member: string): boolean {
  const kinds = type.slice(type.indexOf(':') + 1).split(',');
  const parts = member.split(',');
  return kinds.every((kind, at) => isPart(kind, parts[at] ?? ''));
}

function isPart(kind: string, part: string): boolean {
  switch (kind) {
    case 'ip':
    case 'net':
      return isAddresses(part);
    case 'port':
      return port.test(part);
    case 'mac':
      return mac.test(part);
    case 'mark':
      return mark.test(part);
    default:
      return part !== '';
  }
}

/** An address, a network, or a range of addresses. */
function isAddresses(part: string): boolean {
  if (familyOf(part) !== undefined || isCidr(part)) return true;
  const dash = part.indexOf('-');
  return dash > 0 && familyOf(part.slice(0, dash)) !== undefined && familyOf(part.slice(dash + 1)) !== undefined;
}

/** `tcp:80`, `80-90`, `icmp:echo-request`, `icmp:8/0`, `47:0`. */
const port = /^(?:[a-z][a-z0-9-]*:|\d+:)?[a-z0-9][a-z0-9/-]*$/i;
const mac = /^[0-9a-f]{2}(?::[0-9a-f]{2}){5}$/i;
const mark = /^(?:0x[0-9a-f]+|\d+)(?:\/(?:0x[0-9a-f]+|\d+))?$/i;
