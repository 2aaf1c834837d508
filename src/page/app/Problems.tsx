import type { PlacedDiagnostic } from '../../public/core.ts';
import type { WrittenPlace } from './useLight.ts';

export interface ProblemsProps {
  readonly problems: readonly PlacedDiagnostic[];
  /** A bug of ours. */
  readonly failure?: string | undefined;
  readonly onPlace: (place: WrittenPlace) => void;
}

/** Problems of the input, with their places. */
export function Problems({ problems, failure, onPlace }: ProblemsProps) {
  if (problems.length === 0 && failure === undefined) return null;
  const shown = problems.slice(0, most);
  return (
    <ul class="problems" aria-label="Messages">
      {failure !== undefined && <li class="error">This is a bug of k8snet: {failure}</li>}
      {shown.map(({ severity, code, message, hint, at: [place] }, at) => (
        <li key={at} class={severity}>
          <strong>{severity}</strong> {message}
          {hint !== undefined && <span class="quiet"> — {hint}</span>} <code>{code}</code>
          {place !== undefined && (
            <>
              {' '}
              <button type="button" onClick={() => onPlace(place)}>{`${place.file}:${place.line}`}</button>
            </>
          )}
        </li>
      ))}
      {problems.length > most && <li>{problems.length - most} more</li>}
    </ul>
  );
}

const most = 50;
