import { commandLine } from '../commandLine.ts';
import { Problems } from '../Problems.tsx';
import type { PageState } from '../pageState.ts';
import { Take } from '../Take.tsx';
import { useAnswer } from '../useAnswer.ts';
import type { WrittenPlace } from '../useLight.ts';

export interface FindingsViewProps {
  readonly state: PageState;
  readonly onPlace: (place: WrittenPlace) => void;
}

/** What is wrong: with the manifests, with a dump, or with a dump beside the manifests. */
export function FindingsView({ state, onPlace }: FindingsViewProps) {
  const { answer, isCurrent, failure } = useAnswer('findings', null);
  const hasDump = state.input.dumps.some(({ text }) => text.trim() !== '');
  const hasObjects = state.input.manifests.some(({ text }) => text.trim() !== '');
  const nothing = answer !== undefined && answer.findings.length === 0 && answer.problems.length === 0;
  return (
    <section class="view" aria-labelledby="findings-title">
      <h2 id="findings-title">
        {hasDump
          ? hasObjects
            ? 'The node beside its manifests'
            : 'What the dump shows'
          : 'What the manifests lead to'}
      </h2>
      {!isCurrent && <p role="status">Looking for faults.</p>}
      {answer !== undefined && answer.summary !== '' && <p>{answer.summary}</p>}
      {isCurrent && nothing && <p class="answer allowed">Nothing was found.</p>}
      {answer !== undefined && answer.findings.length > 0 && (
        <ul class="findings" aria-label="Findings">
          {answer.findings.map(({ id, severity, service, seen, why, fix }, at) => (
            <li key={`${id} ${at}`} class={severity}>
              <h3>{`${severity} ${id}${service ? `: ${service}` : ''}`}</h3>
              <p>{seen}</p>
              <p>{why}</p>
              <p>
                <strong>What to do:</strong> {fix}
              </p>
            </li>
          ))}
        </ul>
      )}
      <Problems problems={answer?.problems ?? []} failure={failure} onPlace={onPlace} />
      <Take what="findings" command={commandLine(state)} />
    </section>
  );
}
