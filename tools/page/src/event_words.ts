// A sentence for each event.
import { count, ms } from './format';
import type { Translator, Word } from './i18n';
import type { Model } from './model/model';
import type { Fold } from './model/folds';
import type { Waiting } from './model/queues';
import type { TraceEvent } from './model/types';

// V8's own jobs, by their `op` in the trace.
const kJobs: Record<string, Word> = {
  NewPromiseReactionJob: 'own.reactionJob',
  NewPromiseResolveThenableJob: 'own.thenableJob',
  module: 'own.module',
  disablePromiseHook: 'own.endHooks',
};

// What is called otherwise in a browser.
const kInBrowser: Partial<Record<Word, Word>> = {
  'phase.exit': 'phase.exit.page',
  'by.none': 'by.none.page',
  'own.microtasks': 'own.microtasks.page',
  'own.reactionJob': 'own.reactionJob.page',
  'own.thenableJob': 'own.thenableJob.page',
  'event.drain_begin': 'event.drain_begin.page',
  'event.drain_end': 'event.drain_end.page',
  'event.stall': 'event.stall.page',
  'event.exit': 'event.exit.page',
};
const inRuntime = (model: Model, word: Word): Word => (model.isBrowser ? (kInBrowser[word] ?? word) : word);

export function nameOf(model: Model, id: number | string | undefined, tr: Translator): string {
  if (typeof id !== 'number' || id === 0) return tr.t(inRuntime(model, 'by.none'));
  const callback = model.callback(id);
  if (!callback) return tr.t(model.run.gaps.length ? 'by.leftOut' : inRuntime(model, 'by.none'));
  return callback.api === 'main' ? tr.t(mainWord(model)) : callback.name;
}

// Name of an entry in a queue: a callback, or an internal entry of the runtime.
export function waitingName(
  model: Model,
  waiting: { id?: number; name?: string; op?: string },
  tr: Translator,
): string {
  if (waiting.id) return nameOf(model, waiting.id, tr);
  const { name, op } = waiting;
  return name && op ? `${op} (${name})` : name || op || tr.t('own.unnamed');
}

// A sentence that describes an internal entry.
export function ownWords(model: Model, waiting: Waiting, tr: Translator): string {
  const name = waitingName(model, waiting, tr);
  const queue = model.event(waiting.since).queue ?? '';
  const job = kJobs[waiting.op];
  return tr.t(inRuntime(model, job && queue === 'microtasks' ? job : (`own.${queue}` as Word)), name);
}

// A value as JavaScript spells it: texts in quotes, what is left out as an ellipsis.
export function valueWords(event: { value?: number | string; type?: string; cut?: boolean }): string {
  if (event.type === 'uninitialized' || (event.type === 'undefined' && event.value === undefined)) return event.type;
  const text = String(event.value ?? '') + (event.cut ? '…' : '');
  return event.type === 'string' ? `'${text}'` : text;
}

// The name of a function of a JavaScript program.
export function functionName(name: string, { t }: Translator): string {
  return name === 'main' ? t('phase.main') : name || t('step.anonymous');
}

// Where a line is: its number, and the module if it is not in the main script.
export function placeWords({ file, line }: TraceEvent): string {
  return file ? `${file}:${line ?? 0}` : String(line ?? 0);
}

export function phaseWord(model: Model, phase: string): Word {
  return phase === 'main' ? mainWord(model) : inRuntime(model, `phase.${phase}` as Word);
}

// Where the loop is at an event. While the thread of a browser sleeps it is in no phase.
export function placeWord(model: Model, { ev, phase }: TraceEvent): Word {
  return ev === 'wait' ? 'phase.asleep' : phaseWord(model, phase);
}

// What calls the loop: the main script of Node, or main() of a program for libuv alone.
export function mainWord(model: Model): 'phase.main' | 'phase.main.c' {
  return model.isLibuvAlone ? 'phase.main.c' : 'phase.main';
}

function cancelWord(event: TraceEvent): Word {
  if (event.why === 'settled') return 'event.cancel.settled';
  if (event.why !== 'clear_running') return 'event.cancel';
  return event.api === 'setInterval' ? 'event.cancel.last' : 'event.cancel.late';
}

// Why the process did not run.
export function stallWord({ why }: TraceEvent): Word {
  if (why === 'preempted') return 'stall.preempted';
  if (why === 'throttled') return 'stall.throttled';
  if (why === 'stolen') return 'stall.stolen';
  if (why === 'gc') return 'stall.gc';
  return 'stall.stall';
}

export function eventWords(model: Model, event: TraceEvent, tr: Translator): string {
  const { t } = tr;
  const name = nameOf(model, event.id, tr);
  switch (event.ev) {
    case 'turn':
      return t('event.turn', event.turn);
    case 'phase_enter':
    case 'phase_exit':
      if (model.isBrowser) return t(`event.${event.ev}.${event.phase}` as Word);
      return t(`event.${event.ev}`, t(phaseWord(model, event.phase)));
    case 'wait':
      return waitWords(event, tr);
    case 'frame':
      return frameWords(event, tr);
    case 'poll':
      return pollWords(event, tr);
    case 'ready':
      return event.thread === undefined
        ? t('event.ready', name, ms(event.at ?? 0))
        : t('event.ready.thread', name, ms(event.at ?? 0), event.thread, event.op ?? '');
    case 'schedule':
      return scheduleWords(model, event, tr);
    case 'cancel':
      return t(cancelWord(event), name);
    case 'ref':
      return t('event.ref', name);
    case 'unref':
      return t('event.unref', name);
    case 'enqueue':
    case 'dequeue':
      return t(
        `event.${event.ev}`,
        waitingName(model, model.enqueueOf(event), tr),
        t(`into.${event.queue ?? ''}` as Word),
      );
    case 'work_begin':
    case 'work_end':
      return t(`event.${event.ev}`, name, event.thread ?? 0, event.op ?? event.api ?? '');
    case 'callback_begin':
      return withRaces(
        event.late ? t('event.callback_begin.late', name, ms(event.late)) : t('event.callback_begin', name),
        model,
        event,
        tr,
      );
    case 'callback_end':
      return t(`event.callback_end.${event.how ?? 'normal'}` as Word, name);
    case 'drain_begin':
      return t(inRuntime(model, 'event.drain_begin'), event.ticks ?? 0, event.microtasks ?? 0);
    case 'drain_end':
      return t(inRuntime(model, 'event.drain_end'));
    case 'log':
      return t('event.log', event.text ?? '');
    case 'error_log':
      return t('event.error_log', event.text ?? '');
    case 'scope':
      return t(event.as === 'call' ? 'event.scope.call' : 'event.scope', event.name || t('step.unnamed'));
    case 'assign':
      if (event.type === 'uninitialized') return t('event.assign.uninitialized', event.name ?? '');
      return t(`event.assign.${event.as ?? 'set'}` as Word, event.name ?? '', valueWords(event));
    case 'condition':
      return t(event.holds ? 'event.condition.true' : 'event.condition.false', event.text ?? '', event.name ?? '');
    case 'promise':
      return t(`event.promise.${event.as ?? 'pending'}` as Word, event.name ?? `#${event.id ?? 0}`, valueWords(event));
    case 'line':
      return t(event.name ? 'event.line.of' : 'event.line', placeWords(event), functionName(event.name ?? '', tr));
    case 'leave': {
      const name = functionName(event.name ?? '', tr);
      if (event.how === 'throw') return t('event.leave.throw', name);
      return event.type === 'undefined' ? t('event.leave', name) : t('event.leave.value', name, valueWords(event));
    }
    case 'steps_end':
      return t('event.steps_end', event.most ?? 0);
    case 'call':
      return event.begins ? t('event.call.begins', event.text ?? '') : t('event.call', event.text ?? '', event.result ?? 0);
    case 'burn':
      return t('event.burn', ms(event.took ?? 0), event.what ?? '');
    case 'receive':
      return event.bytes ? t('event.receive', event.bytes) : t('event.receive.end');
    case 'settle':
      return t(`event.settle.${event.as ?? 'fulfilled'}` as Word, event.name ?? `#${event.id ?? 0}`);
    case 'throw':
      return t('event.throw', event.text ?? '');
    case 'caught':
      return t(`event.caught.${String(event.by)}` as Word, event.text ?? '');
    case 'uncaught':
      return t('event.uncaught', event.text ?? '');
    case 'rejection':
      return t('event.rejection', event.text ?? '');
    case 'rejection_handled':
      return t('event.rejection_handled', event.text ?? '');
    case 'input':
      return t(model.isBrowser ? 'event.input.user' : 'event.input', event.text ?? '', ms(event.at ?? event.t));
    case 'loop_delay':
      return t('event.loop_delay', ms(event.delta ?? 0));
    case 'answer':
      return t('event.answer', event.client ?? '', ms(event.took ?? 0), event.how ?? '');
    case 'stall':
      return t(inRuntime(model, 'event.stall'), ms(Number(event.for ?? 0)), t(stallWord(event)));
    case 'limit':
      return t('event.limit', event.limit ?? '');
    case 'exit':
      return t(inRuntime(model, 'event.exit'), event.code ?? 0, t(`reason.${event.why ?? 'loop_empty'}` as Word));
    case 'gap':
      return gapWords(event, tr);
    default:
      return event.ev;
  }
}

// The callbacks that it did not come before here, and does on a real machine.
function withRaces(words: string, model: Model, event: TraceEvent, tr: Translator): string {
  const firsts = model.run.races.get(event.id ?? 0);
  if (!firsts) return words;
  return tr.t('event.race', words, firsts.map((id) => nameOf(model, id, tr)).join(', '));
}

function gapWords({ gap }: TraceEvent, { t }: Translator): string {
  if (!gap) return '';
  const words = t('event.gap', count(gap.repetitions), count(gap.events), ms(gap.t), ms(gap.to));
  return gap.lost ? words + t('event.gap.lost', count(gap.lost)) : words;
}

// What a fold hides: how many times, what, and when.
export function foldWords(model: Model, fold: Fold, tr: Translator): string {
  const { t } = tr;
  const names = fold.what.map((id) => nameOf(model, id, tr)).join(', ');
  const what = names || eventWords(model, model.event(fold.first), tr);
  const [kind, length] = fold.turns ? (['fold.turn', fold.turns] as const) : (['fold.same', fold.callbacks] as const);
  const alike = t(length > 1 ? `${kind}.several` : kind, count(fold.count), length);
  let words = `⋯ ${alike}${what}${fold.more ? t('fold.more', fold.more) : ''}`;
  words += fold.from === fold.to ? t('fold.at', ms(fold.from)) : t('fold.between', ms(fold.from), ms(fold.to));
  if (fold.late[1]) words += t('fold.late', ms(fold.late[0]), ms(fold.late[1]));
  if (fold.lines) words += t('fold.lines', count(fold.lines));
  if (fold.exceptions) words += t('fold.exceptions', count(fold.exceptions));
  return fold.drain ? words + t('fold.drain') : words;
}

function pollWords(event: TraceEvent, { t }: Translator): string {
  const blocked = event.blocked ?? 0;
  const served = event.served ?? 0;
  if (blocked === 0) return t(served ? 'event.poll.found' : 'event.poll.nothing', ms(0), served);
  return t(event.woke === 'timeout' && !served ? 'event.poll.timeout' : 'event.poll.waited', ms(blocked), served);
}

// A task's source, in a few words.
export function sourceWord(source: string): Word {
  return `source.${source}` as Word;
}

export function waitWords(event: TraceEvent, { t }: Translator): string {
  const slept = ms(event.slept ?? 0);
  if (event.for === 'frame') return t('event.wait.frame', slept);
  return t('event.wait', slept, t(sourceWord(String(event.for))));
}

function frameWords({ due = 0, late = 0, dropped = 0 }: TraceEvent, { t }: Translator): string {
  if (dropped) return t('event.frame.dropped', ms(due), ms(late), dropped);
  return late ? t('event.frame.late', ms(due), ms(late)) : t('event.frame', ms(due));
}

function scheduleWords(model: Model, event: TraceEvent, tr: Translator): string {
  const name = nameOf(model, event.id, tr);
  const by = nameOf(model, event.by, tr);
  if (event.as === 'again' && event.due === undefined) return tr.t('event.schedule.stays', name);
  if (event.as === 'again') return tr.t('event.schedule.again', name, ms(event.due ?? 0));
  if (event.as === 'refresh') return tr.t('event.schedule.refresh', name, ms(event.due ?? 0));
  const isTask = model.isBrowser && event.api !== 'setTimeout' && event.api !== 'setInterval';
  if (event.due !== undefined && isTask) return tr.t('event.schedule.task', name, by, ms(event.delay ?? 0), ms(event.due));
  if (event.due !== undefined) return tr.t('event.schedule.timer', name, by, ms(event.delay ?? 0), ms(event.due));
  if (event.op) return tr.t('event.schedule.work', name, by, event.op);
  return tr.t('event.schedule', name, by);
}
