// The questions of the page's predict mode: at the end of a callback, which callback begins next? The choices stand in
// the queues at that moment.
//
// "Next" is any callback that the loop begins, whether it prints or not (docs/page.md says why). No question is asked
// where there is no choice, or where the next callback stood in no queue yet: a connection, say, that is still to come.
import type { Callback } from './callbacks';
import type { Model } from './model';
import { kQueues, type Queue, type Waiting } from './queues';

export interface Choice {
  id: number;
  name: string;
  queue: Queue;
}
export interface Question {
  at: number; // the event at which it is asked
  ended: number; // the callback that has just ended
  begin: number; // the event that answers it
  answer: number; // the callback
  choices: Choice[]; // in the order in which the callbacks were asked for
}

const kMostChoices = 5;
const kMostQuestions = 100;
const kMostRepeats = 2; // of one question: an interval must not ask the same a hundred times

// In each round one choice of each queue, those first that a wrong idea of the loop would take.
const kOrder: readonly Queue[] = [
  'ticks',
  'microtasks',
  'timers',
  'tasks',
  'frames',
  'idles',
  'delayedTasks',
  'immediates',
  'ready',
  'pending',
  'closing',
  'pool',
  'network',
  'writes',
  'promises',
  'idle',
  'prepare',
  'check',
  'async',
];

export function questionsOf(model: Model): Question[] {
  const questions: Question[] = [];
  const asked = new Map<string, number>();
  const outermost = model.callbacks.inOrder.filter((callback) => callback.depth === 0);
  for (let i = 1; i < outermost.length && questions.length < kMostQuestions; ++i) {
    const [before, next] = [outermost[i - 1], outermost[i]];
    if (!before?.end || !next) continue;
    const at = momentAfter(model, before.end);
    if (at >= next.begin) continue;
    // What is left out between them may begin callbacks, too.
    if (model.run.gaps.some(({ seq }) => seq > at && seq < next.begin)) continue;
    const choices = choicesOf(model, at, next);
    if (choices.length < 2) continue;
    const key = `${next.name} of ${choices.map(({ name, queue }) => `${queue} ${name}`).join(', ')}`;
    const times = (asked.get(key) ?? 0) + 1;
    asked.set(key, times);
    if (times > kMostRepeats) continue;
    questions.push({ at, ended: before.id, begin: next.begin, answer: next.id, choices });
  }
  return questions;
}

// The end of a callback, with what belongs to it: the next round of an interval is asked for behind it. Not more, since
// where the loop goes on would give the answer away.
function momentAfter(model: Model, end: number): number {
  let at = end;
  for (let n = end + 1; n <= model.size; ++n) {
    const { ev, t } = model.event(n);
    if (t !== model.event(end).t) break;
    if (ev === 'schedule' || ev === 'cancel') at = n;
    else if (ev !== 'enqueue' && ev !== 'dequeue') break;
  }
  return at;
}

function choicesOf(model: Model, at: number, next: Callback): Choice[] {
  const { queues } = model.atStep(at);
  const lines = new Map<Queue, Waiting[]>(
    kQueues.map((queue) => [queue, queues[queue].filter(({ id }) => id !== 0 && model.callback(id))]),
  );
  lines.get('timers')?.sort((a, b) => (model.callback(a.id)?.due ?? 0) - (model.callback(b.id)?.due ?? 0));
  const queue = kQueues.find((one) => lines.get(one)?.some(({ id }) => id === next.id));
  if (!queue) return [];
  const choices: Choice[] = [{ id: next.id, name: next.name, queue }];
  // Callbacks of one name are one choice: who reads it could not tell them apart.
  const names = new Set([next.name]);
  const longest = Math.max(...[...lines.values()].map((line) => line.length));
  for (let round = 0; round < longest && choices.length < kMostChoices; ++round) {
    for (const one of kOrder) {
      const callback = model.callback(lines.get(one)?.[round]?.id ?? 0);
      if (!callback || names.has(callback.name) || choices.length === kMostChoices) continue;
      names.add(callback.name);
      choices.push({ id: callback.id, name: callback.name, queue: one });
    }
  }
  return choices.sort((a, b) => a.id - b.id);
}
