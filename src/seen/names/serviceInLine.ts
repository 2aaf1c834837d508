import { serviceInComment } from './serviceInComment.ts';

/** The Service (`namespace/name`) that a line of iptables-save names in its comment; undefined: none. */
export function serviceInLine(line: string): string | undefined {
  return serviceInComment(commentIn(line))?.service;
}

/** A comment of one word needs no quotes, and kube-proxy's comments contain none. */
function commentIn(line: string): string | undefined {
  const [, quoted, word] = /--comment (?:"([^"]*)"|(\S+))/.exec(line) ?? [];
  return quoted ?? word;
}
