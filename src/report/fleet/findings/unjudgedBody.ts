import { escapeText } from '../../../common/text/escapeText.ts';
import { escapeMarkup } from '../../forms/escapeMarkup.ts';
import { githubAnnotation } from '../../forms/githubAnnotation.ts';
import { junitCase } from '../../forms/junit/junitCase.ts';
import { sarifLocation } from '../../forms/sarif/sarifLocation.ts';
import { sarifRun } from '../../forms/sarif/sarifLog.ts';
import type { FleetForm } from '../fleetReport.ts';
import type { NodeVerdict } from '../nodeVerdict.ts';
import type { NodeAnswer } from './nodeAnswer.ts';

/** The form of a node that could not be judged. */
export function unjudgedBody(answer: NodeVerdict, form: FleetForm): Pick<NodeAnswer, 'body' | 'tests' | 'failures'> {
  const errors = answer.problems.filter(({ severity }) => severity === 'error');
  const lines = errors.map(({ code, message }) => `${message} (${code})`);
  switch (form) {
    case 'junit': {
      const counts = 'tests="1" failures="1" errors="0" skipped="0" time="0"';
      const name = escapeMarkup(`node ${answer.node}`);
      const result = { kind: 'failure' as const, type: 'unjudged', message: lines[0] ?? 'not judged', lines };
      const test = junitCase('the node can be judged', 'k8snet', result);
      return { body: `  <testsuite name="${name}" ${counts}>\n${test}  </testsuite>\n`, tests: 1, failures: 1 };
    }
    case 'sarif': {
      const location = sarifLocation(answer.given, undefined, undefined);
      const results = errors.map(({ code, message }) => ({
        ruleId: code,
        ruleIndex: 0,
        level: 'error',
        message: { text: escapeText(message) },
        ...(location && { locations: [location] }),
      }));
      const rules = errors.slice(0, 1).map(({ code }) => ({ id: code }));
      return { body: [...sarifRun({ version: undefined, rules }, results, `k8snet/${answer.node}`)].join('') };
    }
    case 'github':
      return {
        body: errors
          .map(({ code, message }) => githubAnnotation({ level: 'error', title: code, message: escapeText(message) }))
          .join(''),
      };
    default:
      return { body: '' };
  }
}
