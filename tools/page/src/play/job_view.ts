// What the views that ask the engine have in common: a job whose answer is shown, unless a newer one was asked for.
import { h } from '../dom';
import { NotRun } from './engine';
import type { Job, Outcome } from './engine_protocol';
import { problemsOf } from './problems';
import type { PlayWord, Say } from './words';

export interface Question {
  job: Job;
  file: string;
  also?: Job; // a second one, of the same program
}

export interface JobView {
  readonly body: HTMLElement;
  ask(question: Question, show: (outcome: Outcome, also: Outcome | null) => Node[]): void;
  tell(word: PlayWord): void; // in the place of an answer: nothing is asked
  translate(): void; // draws the answer again
  leave(): void;
}

export function jobView(say: Say, run: (job: Job) => Promise<Outcome>, stop: () => void): JobView {
  const body = h('div', { class: 'play-answer', 'aria-live': 'polite' });
  let asked = '';
  let draw = (): void => undefined; // what is in the body
  const put = (how: () => void): void => (draw = how)();
  const refused = (message: string): HTMLElement => h('p', { class: 'play-refusal' }, message);
  return {
    body,
    ask: (question, show) => {
      const key = JSON.stringify([question.job, question.also]);
      if (key === asked) return;
      asked = key;
      stop();
      body.setAttribute('aria-busy', 'true');
      const both = async (): Promise<[Outcome, Outcome | null]> => {
        const outcome = await run(question.job);
        return [outcome, question.also ? await run(question.also) : null];
      };
      both().then(
        ([outcome, also]) => {
          if (key !== asked) return;
          body.setAttribute('aria-busy', 'false');
          const refusal = (): string => {
            const problems = problemsOf(outcome.stderr, question.file).map(({ message }) => message);
            return problems.join('\n') || say('status.refused');
          };
          put(() => {
            const nodes = show(outcome, also);
            body.replaceChildren(...(nodes.length ? nodes : [refused(refusal())]));
          });
        },
        (error: unknown) => {
          if (key !== asked) return;
          body.setAttribute('aria-busy', 'false');
          asked = '';
          const why = error instanceof NotRun ? error.why : 'failed';
          const message = (): string => {
            if (why === 'stopped') return say('answer.stopped');
            if (why === 'too deep') return say('answer.tooDeep');
            return why === 'too long' ? say('answer.tooLong') : say('status.failed', String(error));
          };
          put(() => body.replaceChildren(refused(message())));
        },
      );
    },
    tell: (word) => {
      asked = '';
      stop();
      body.setAttribute('aria-busy', 'false');
      put(() => body.replaceChildren(h('p', { class: 'muted' }, say(word))));
    },
    translate: () => draw(),
    leave: () => {
      if (body.getAttribute('aria-busy') !== 'true') return;
      asked = '';
      stop();
    },
  };
}
