import { destination } from './printRoutes.ts';
import type { PlannedRoute, RoutesPlan } from './routesPlan.ts';

/** The plan in the form of `schema/emit-routes.schema.json`, one piece of text a node. */
export function* routesJson(plan: RoutesPlan): Iterable<string> {
  yield `{\n "schema": "k8snet.routes/v1",\n "cni": ${JSON.stringify(plan.cni)},\n "nodes": [`;
  for (const [index, { name, entries }] of plan.nodes.entries()) {
    const { addresses, routes, neighbours, fdb } = entries();
    const value = { node: name, addresses, routes: routes.map(routeValue), neighbours, fdb };
    yield `${index === 0 ? '' : ','}\n${indent(value)}`;
  }
  const router = plan.router.map(routeValue);
  yield `\n ],\n "router": ${JSON.stringify(router)},\n "overlaps": ${JSON.stringify(plan.overlaps)}\n}\n`;
}

function indent(value: unknown): string {
  return JSON.stringify(value, undefined, 1).replace(/^/gm, '  ');
}

function routeValue(route: PlannedRoute): Readonly<Record<string, unknown>> {
  const { isBlackhole, via, dev, proto, scope, src, isOnlink } = route;
  return {
    dst: destination(route),
    ...(isBlackhole ? { type: 'blackhole' } : {}),
    ...(via === undefined ? {} : { via }),
    ...(dev === undefined ? {} : { dev }),
    ...(proto === undefined ? {} : { proto }),
    ...(scope === undefined ? {} : { scope }),
    ...(src === undefined ? {} : { src }),
    ...(isOnlink ? { onlink: true } : {}),
  };
}
