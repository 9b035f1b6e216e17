// What the views that ask the engine have in common: a job whose answer is shown, unless a newer one was asked for.
import { h } from '../dom';
import { NotRun } from './engine';
import type { Job, Outcome } from './engine_protocol';
import { problemsOf } from './problems';
import type { Say } from './words';

export interface Question {
  job: Job;
  file: string;
  also?: Job; // a second one, of the same program
}

export interface JobView {
  readonly body: HTMLElement;
  ask(question: Question | null, show: (outcome: Outcome, also: Outcome | null) => Node[]): void;
  leave(): void;
}

export function jobView(say: Say, run: (job: Job) => Promise<Outcome>, stop: () => void): JobView {
  const body = h('div', { class: 'play-answer', 'aria-live': 'polite' });
  let asked = '';
  const fail = (message: string): void => body.replaceChildren(h('p', { class: 'play-refusal' }, message));
  return {
    body,
    ask: (question, show) => {
      const key = question ? JSON.stringify([question.job, question.also]) : '';
      if (key === asked) return;
      asked = key;
      stop();
      if (!question) {
        body.replaceChildren(h('p', { class: 'muted' }, say('viewer.empty')));
        return;
      }
      body.setAttribute('aria-busy', 'true');
      const both = async (): Promise<[Outcome, Outcome | null]> => {
        const outcome = await run(question.job);
        return [outcome, question.also ? await run(question.also) : null];
      };
      both().then(
        ([outcome, also]) => {
          if (key !== asked) return;
          body.setAttribute('aria-busy', 'false');
          const nodes = show(outcome, also);
          if (nodes.length) body.replaceChildren(...nodes);
          else
            fail(
              problemsOf(outcome.stderr, question.file)
                .map(({ message }) => message)
                .join('\n') || say('status.refused'),
            );
        },
        (error: unknown) => {
          if (key !== asked) return;
          body.setAttribute('aria-busy', 'false');
          asked = '';
          if (error instanceof NotRun && error.why === 'stopped') return fail(say('answer.stopped'));
          fail(
            error instanceof NotRun && error.why === 'too long'
              ? say('answer.tooLong')
              : say('status.failed', String(error)),
          );
        },
      );
    },
    leave: () => {
      if (body.getAttribute('aria-busy') !== 'true') return;
      asked = '';
      stop();
    },
  };
}
