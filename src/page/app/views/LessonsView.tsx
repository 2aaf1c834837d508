import { lessons } from '../../lessons/lessons.ts';
import type { Change } from '../pageState.ts';

export interface LessonsViewProps {
  readonly change: Change;
}

/** Short lessons, each a state of the page. */
export function LessonsView({ change }: LessonsViewProps) {
  return (
    <section class="view" aria-labelledby="lessons-title">
      <h2 id="lessons-title">Lessons</h2>
      <p>
        Each lesson brings an input of its own and says what to look at. Your own input comes back when you close it.
      </p>
      <ol class="lessons">
        {lessons.map((lesson) => (
          <li key={lesson.id}>
            <button type="button" onClick={() => change({ ...lesson.state, lesson: lesson.id })}>
              {lesson.title}
            </button>
          </li>
        ))}
      </ol>
    </section>
  );
}
