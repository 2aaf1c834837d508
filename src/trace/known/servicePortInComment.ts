/** `namespace/name:port` as kube-proxy's comments have it: `shop/web:http cluster IP`, `shop/web -> 10.0.0.1:80`. */
export function servicePortInComment(comment: string | undefined): string | undefined {
  return /(?:^|\s)([a-z0-9][a-z0-9-]*\/[a-z0-9][a-z0-9.-]*(?::[a-z0-9-]+)?):?(?=$|\s)/.exec(comment ?? '')?.[1];
}
