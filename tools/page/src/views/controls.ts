// The bar at the bottom: scrub, step, play, speed.
import type { Context, View } from '../context';
import { h, setText } from '../dom';
import { ms } from '../format';
import type { Word } from '../i18n';
import { kSpeeds } from '../player';
import { icon, type IconName } from './icons';

export function controlsView(context: Context, openSearch: () => void): View {
  const { model, player, tr } = context;
  const { t } = tr;
  const scrub = h('input', { type: 'range', class: 'scrub', min: 1, max: Math.max(1, model.size), step: 1, value: 1 });
  scrub.addEventListener('input', () => player.jump(model.steps.towards(Number(scrub.value), player.n)));

  const titles: [HTMLElement, Word, string][] = [];
  const button = (name: IconName, word: Word, key: string, act: () => void, extra = ''): HTMLButtonElement => {
    const one = h(
      'button',
      { type: 'button', class: `control ${extra}`, 'data-control': name, onclick: act },
      icon(name),
    );
    titles.push([one, word, key]);
    return one;
  };
  const play = h('button', {
    type: 'button',
    class: 'control play',
    'data-control': 'play',
    onclick: () => player.toggle(),
  });
  const speed = h('select', { class: 'speed' }, ...kSpeeds.map((value) => h('option', { value })));
  speed.addEventListener('change', () => player.setSpeed(Number(speed.value)));

  const buttons = [
    button('first', 'control.first', 'Home', () => player.jump(model.steps.first)),
    button('previousCallback', 'control.previousCallback', 'P', () => player.jump(model.previousCallback(player.n))),
    button('back', 'control.back', '←', () => player.step(-1)),
    play,
    button('forward', 'control.forward', '→', () => player.step(1)),
    button('nextCallback', 'control.nextCallback', 'N', () => player.jump(model.nextCallback(player.n))),
    button('last', 'control.last', 'End', () => player.jump(model.steps.last)),
  ];
  const over = button('over', 'control.over', 'O', () => player.jump(model.stepOver(player.n)), 'wide-only');
  const search = button('search', 'control.search', '/', openSearch);
  const position = h('span', { class: 'position' });
  const element = h(
    'div',
    { class: 'controls' },
    h('div', { class: 'buttons', role: 'group' }, ...buttons),
    h('div', { class: 'way' }, scrub, position),
    h('div', { class: 'more' }, over, search, speed),
  );

  const showPlaying = (): void => {
    const word: Word = player.isPlaying ? 'control.pause' : 'control.play';
    play.replaceChildren(icon(player.isPlaying ? 'pause' : 'play'));
    play.setAttribute('aria-label', t(word));
    play.title = `${t(word)} (Space)`;
    speed.value = String(player.speed);
  };
  player.onPlay(showPlaying);

  const translate = (): void => {
    for (const [one, word, key] of titles) {
      one.setAttribute('aria-label', t(word));
      one.title = `${t(word)} (${key})`;
    }
    scrub.setAttribute('aria-label', t('control.scrub'));
    speed.setAttribute('aria-label', t('control.speed'));
    for (const option of speed.options) {
      option.textContent = t('control.perSecond', option.value);
      option.setAttribute('aria-label', t('control.perSecondLong', option.value));
    }
    showPlaying();
  };
  translate();

  return {
    element,
    translate,
    load: () => {
      scrub.max = String(Math.max(1, model.size));
    },
    show: ({ state, stop }) => {
      const number = model.numberOf(state.n);
      scrub.value = String(state.n);
      scrub.style.setProperty('--share', `${(100 * (state.n - 1)) / Math.max(1, model.size - 1)}%`);
      scrub.setAttribute('aria-valuetext', t('control.scrubValue', number, model.lastNumber, ms(state.event.t)));
      setText(position, `${number}${stop ? `.${stop}` : ''} / ${model.lastNumber}`);
    },
  };
}
