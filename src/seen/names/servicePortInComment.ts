import { servicePortText } from './readServicePortName.ts';
import { serviceInComment } from './serviceInComment.ts';

/** `namespace/name:port` in a comment of kube-proxy: `shop/web:http cluster IP`. Undefined: it names none. */
export function servicePortInComment(comment: string | undefined): string | undefined {
  const named = serviceInComment(comment);
  return named && servicePortText(named);
}
