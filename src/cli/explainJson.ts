import type { KnownProblem } from '../problems/problemCatalogue.ts';
import type { ProblemPage } from '../problems/problemPage.ts';
import type { ExplainPage } from './explainPage.ts';

/** A page of `k8snet explain` for programs: k8snet.explain/v1. */
export function explainJson(page: ExplainPage): object {
  switch (page.kind) {
    case 'topic':
    case 'settings':
      return page;
    case 'list':
      return {
        kind: 'list',
        findings: page.problems.filter(({ kind }) => kind === 'finding').map(listedFinding),
        problems: page.problems.map(({ code, kind, entry: { severity, title, what } }) => {
          return { code, kind, severity, title: title ?? what };
        }),
        topics: page.topics,
      };
    default:
      return problemJson(page);
  }
}

function listedFinding({ code, entry: { severity, title, isAdvice } }: KnownProblem): object {
  return { id: code, severity, title, isAdvice };
}

/** Findings and diagnostics keep the words that they had before all problems had the same fields. */
function problemJson(page: ProblemPage): object {
  const { kind, code, severity, title, what, why, fix, effect, aliases, links } = page;
  const shared = {
    code,
    severity,
    ...(title !== undefined && { title }),
    what,
    ...(why !== undefined && { why }),
    fix,
  };
  switch (kind) {
    case 'finding': {
      const { isAdvice, refs, example } = page;
      return { kind, id: code, ...shared, isAdvice, seen: what, cause: why, refs, example, effect, links, aliases };
    }
    case 'diagnostic':
      return { kind, ...shared, summary: what, remedy: fix, effect, aliases };
    default:
      return { kind, ...shared, effect, aliases };
  }
}
