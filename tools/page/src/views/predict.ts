// Predict first: the page says which callback has ended, the viewer which one begins next, the explanations why. What
// tells the future is covered meanwhile (style.css, keys.ts).
import type { Context, View } from '../context';
import { h } from '../dom';
import { nameOf } from '../event_words';
import type { Word } from '../i18n';
import { kindOf } from '../kinds';
import { questionsOf, type Choice, type Question } from '../model/predictions';
import { panel } from './panel';
import { sentenceItem } from './sentences';

export interface PredictView extends View {
  readonly isOn: boolean;
  toggle(): void;
  set(isOn: boolean): void;
  press(key: string): boolean; // true if the key did something
  onToggle(listener: () => void): void;
}

export function predictView(context: Context): PredictView {
  const { model, player, tr } = context;
  const { t } = tr;
  const box = panel(context, 'predict', 'panel.predict');
  const progress = h('span', { class: 'predict-progress' });
  const leave = h('button', { type: 'button', class: 'quiet', onclick: () => set(false) });
  box.head.append(h('span', { class: 'tools' }, progress, leave));
  const question = h('h3', { class: 'predict-question', tabindex: '-1' });
  const choices = h('ol', { class: 'predict-choices' });
  const verdict = h('div', { class: 'predict-verdict', role: 'status', 'aria-live': 'polite' });
  const reasons = h('div', { class: 'predict-reasons', role: 'group' });
  const next = h('button', { type: 'button', class: 'predict-next', onclick: () => goOn() });
  box.body.append(question, choices, verdict, reasons, next);

  const listeners: (() => void)[] = [];
  let questions: Question[] | null = null; // made when first asked for
  let answers: number[] = []; // the callbacks that were chosen, by question
  let at = 0; // the question that is shown; their number: the end
  let isOn = false;
  let returnTo = 1;

  const all = (): Question[] => (questions ??= questionsOf(model));
  const isRight = (one: Question, chosen: number): boolean => chosen === one.answer;

  function choice(one: Question, { id, name, queue }: Choice, index: number): HTMLElement {
    const chosen = answers[at];
    const callback = model.callback(id);
    const isAnswered = chosen !== undefined;
    const mark = !isAnswered ? '' : id === one.answer ? 'is-right' : id === chosen ? 'is-wrong' : 'is-other';
    const said: Word | null =
      mark === 'is-right' ? 'predict.mark.right' : mark === 'is-wrong' ? 'predict.mark.wrong' : null;
    return h(
      'li',
      {},
      h(
        'button',
        {
          type: 'button',
          class: `predict-choice k-${kindOf(callback?.api ?? '', callback?.phase)} ${mark}`,
          disabled: isAnswered,
          'data-choice': id,
          onclick: () => answer(id),
        },
        h('kbd', { 'aria-hidden': 'true' }, String(index + 1)),
        h('span', { class: 'predict-name' }, name),
        h('span', { class: 'predict-where' }, said ? t(said) : t(`predict.in.${queue}`)),
      ),
    );
  }

  function explanation(id: number, title: string): HTMLElement[] {
    const sentences = model.run.explanation(id)?.sentences ?? [];
    return [
      h('h4', {}, title),
      sentences.length
        ? h('ol', { class: 'sentences' }, ...sentences.map((one) => sentenceItem(model, one, tr, null)))
        : h('p', { class: 'muted' }, t('why.unexplained')),
    ];
  }

  function showQuestion(one: Question): void {
    const chosen = answers[at];
    progress.textContent = t('predict.progress', at + 1, all().length);
    question.textContent = t('predict.question', nameOf(model, one.ended, tr));
    choices.replaceChildren(...one.choices.map((each, index) => choice(one, each, index)));
    next.hidden = reasons.hidden = chosen === undefined;
    next.textContent = t(at + 1 < all().length ? 'predict.next' : 'predict.finish');
    reasons.setAttribute('aria-label', t('panel.why'));
    reasons.replaceChildren();
    verdict.textContent = '';
    if (chosen === undefined) return;
    const name = nameOf(model, one.answer, tr);
    const other = nameOf(model, chosen, tr);
    verdict.textContent = isRight(one, chosen) ? t('predict.right', name) : t('predict.wrong', name);
    reasons.append(...explanation(one.answer, t('predict.why', name)));
    if (!isRight(one, chosen))
      reasons.append(
        ...explanation(chosen, t(model.callback(chosen)?.begin ? 'predict.whyLater' : 'predict.whyNever', other)),
      );
  }

  function showEnd(): void {
    const right = all().filter((one, i) => isRight(one, answers[i] ?? 0)).length;
    progress.textContent = '';
    question.textContent = all().length ? t('predict.score', right, all().length) : t('predict.none');
    verdict.textContent = '';
    reasons.hidden = true;
    choices.replaceChildren(
      ...all().flatMap((one, i) => {
        if (isRight(one, answers[i] ?? 0)) return [];
        const words = t('predict.missed', nameOf(model, one.ended, tr), nameOf(model, one.answer, tr));
        return h('li', {}, h('button', { type: 'button', class: 'predict-choice', onclick: () => look(one) }, words));
      }),
    );
    next.hidden = all().length === 0;
    next.textContent = t('predict.again');
  }

  function draw(): void {
    const one = all()[at];
    if (one) showQuestion(one);
    else showEnd();
  }

  function answer(id: number): void {
    const one = all()[at];
    if (!one || answers[at] !== undefined) return;
    answers[at] = id;
    player.jump(one.begin);
    draw();
    next.focus({ preventScroll: true });
    verdict.scrollIntoView({ block: 'nearest' });
  }

  function ask(): void {
    const one = all()[at];
    player.jump(one ? one.at : answers.length ? model.steps.last : player.n);
    draw();
    question.focus();
  }

  function goOn(): void {
    if (at < all().length) ++at;
    else [at, answers] = [0, []];
    ask();
  }

  // A question that was missed, in the page as it is otherwise.
  function look(one: Question): void {
    returnTo = one.begin;
    set(false);
  }

  function set(value: boolean): void {
    if (value === isOn) return;
    isOn = value;
    context.root.toggleAttribute('data-predict', isOn);
    if (isOn) {
      returnTo = player.n;
      [at, answers] = [0, []];
    }
    for (const listener of listeners) listener();
    if (isOn) ask();
    else player.jump(returnTo);
  }

  return {
    element: box.element,
    get isOn() {
      return isOn;
    },
    toggle: () => set(!isOn),
    set,
    press: (key) => {
      const one = all()[at];
      const number = Number(key);
      const isOpen = one !== undefined && answers[at] === undefined;
      if (key === 'Escape') set(false);
      else if (isOpen && number >= 1 && number <= one.choices.length) answer(one.choices[number - 1]?.id ?? 0);
      else if (!isOpen && key === 'ArrowRight') goOn();
      else return false;
      return true;
    },
    onToggle: (listener) => listeners.push(listener),
    translate: () => {
      box.translate();
      leave.textContent = t('predict.leave');
      if (isOn) draw();
    },
    load: () => {
      questions = null;
      [at, answers] = [0, []];
    },
    show: () => undefined,
  };
}
