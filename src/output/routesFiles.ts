import { inPieces } from '../common/inPieces.ts';
import type { EmittedFile } from '../derive/emitted.ts';
import { printEntries, printRouter } from '../derive/routes/printRoutes.ts';
import { routesJson } from '../derive/routes/routesJson.ts';
import type { RoutesPlan } from '../derive/routes/routesPlan.ts';
import { routesScript } from '../script/routesScript.ts';

/** What `k8snet emit routes --out-dir` writes: lines and a script for each node, the router's lines, all of it as JSON. */
export function routesFiles(plan: RoutesPlan): readonly EmittedFile[] {
  const ofNodes = plan.nodes.flatMap(({ name, entries }): readonly EmittedFile[] => [
    { name: `${name}.routes`, form: 'state', text: () => inPieces(printEntries(entries())) },
    { name: `${name}.sh`, form: 'script', text: () => inPieces(routesScript(name, entries())) },
  ]);
  return [
    ...ofNodes,
    ...(plan.router.length === 0
      ? []
      : [{ name: 'router.routes', form: 'state' as const, text: () => inPieces(printRouter(plan)) }]),
    { name: 'routes.json', form: 'state', text: () => routesJson(plan) },
  ];
}
