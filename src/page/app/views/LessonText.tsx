import { useEffect, useRef } from 'preact/hooks';
import { generalTopic } from '../../../public/topics.ts';
import { lessons } from '../../lessons/lessons.ts';
import type { Change } from '../pageState.ts';

export interface LessonTextProps {
  readonly id: string;
  readonly change: Change;
  readonly onClose: () => void;
}

/** What a lesson says, over the view that shows it. */
export function LessonText({ id, change, onClose }: LessonTextProps) {
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => title.current?.focus(), [id]);
  const at = lessons.findIndex((lesson) => lesson.id === id);
  const lesson = lessons[at];
  if (lesson === undefined) return null;
  const go = (to: number) => {
    const next = lessons[to];
    if (next !== undefined) change({ ...next.state, lesson: next.id });
  };
  return (
    <section class="lesson" aria-labelledby="lesson-title">
      <h2 id="lesson-title" tabIndex={-1} ref={title}>
        {`Lesson ${at + 1} of ${lessons.length}: ${lesson.title}`}
      </h2>
      {lesson.topic !== undefined && <p>{generalTopic(lesson.topic).about[0]}</p>}
      {lesson.text.map((paragraph) => (
        <p key={paragraph}>{paragraph}</p>
      ))}
      <p class="row">
        <button type="button" onClick={() => go(at - 1)} disabled={at === 0}>
          Lesson before
        </button>
        <button type="button" onClick={() => go(at + 1)} disabled={at === lessons.length - 1}>
          Next lesson
        </button>
        <button type="button" onClick={onClose}>
          Close the lesson
        </button>
      </p>
    </section>
  );
}
