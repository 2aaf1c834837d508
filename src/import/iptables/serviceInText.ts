import { readServicePortName, type ServicePortName } from '../../node/readServicePortName.ts';

/** A comment of kube-proxy that begins with the name of a Service port: the name, and what the comment says of it. */
export function serviceInText(comment: string): (ServicePortName & { readonly what: string }) | undefined {
  const at = comment.indexOf(' ');
  const named = readServicePortName(at === -1 ? comment : comment.slice(0, at));
  return named && { ...named, what: at === -1 ? '' : comment.slice(at + 1) };
}
