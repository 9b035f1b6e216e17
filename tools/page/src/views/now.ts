// The current event, in one sentence.
import type { Context, View } from '../context';
import { h, setText } from '../dom';
import { eventWords, placeWord } from '../event_words';
import { count, ms } from '../format';
import { kindOfEvent } from '../kinds';

export function nowView(context: Context): View {
  const { model, tr } = context;
  const phase = h('span', { class: 'now-phase' });
  const time = h('span', { class: 'now-time' });
  const number = h('span', { class: 'now-number' });
  const words = h('p', { class: 'now-words' });
  const element = h('div', { class: 'now' }, h('div', { class: 'now-line' }, phase, time, number), words);
  return {
    element,
    translate: () => undefined,
    show: ({ state, stop, step }) => {
      const { event } = state;
      phase.className = `now-phase k-${kindOfEvent(event)}`;
      setText(phase, tr.t(placeWord(model, event)));
      setText(time, `${ms(event.t)} ms`);
      setText(number, tr.t('now.event', count(model.numberOf(event.seq)) + (stop ? `.${stop}` : '')));
      setText(words, eventWords(model, step ?? event, tr));
    },
  };
}
