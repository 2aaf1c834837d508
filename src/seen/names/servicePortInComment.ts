import { servicePortText } from './readServicePortName.ts';
import { serviceInComment } from './serviceInComment.ts';

/** `namespace/name:port` from a kube-proxy comment: `shop/web:http cluster IP`. Undefined: it names none. */
export function servicePortInComment(comment: string | undefined): string | undefined {
  const named = serviceInComment(comment);
  return named && servicePortText(named);
}
