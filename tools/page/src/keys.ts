// Keyboard shortcuts. A focused control handles its own keys.
import type { Context } from './context';
import type { PredictView } from './views/predict';
import type { TimelineView } from './views/timeline';

interface Doors {
  timeline: TimelineView;
  search: () => void;
  help: () => void;
  isModal: () => boolean;
  predict: PredictView;
}

const kAlways = new Set(['t', 'l', 'q', '?']);

export function listenToKeys({ model, player, tr, theme, ends }: Context, doors: Doors): void {
  const keys: Record<string, () => void> = {
    ' ': () => player.toggle(),
    k: () => player.toggle(),
    ArrowRight: () => player.step(1),
    ArrowLeft: () => player.step(-1),
    n: () => player.jump(model.nextCallback(player.n)),
    p: () => player.jump(model.previousCallback(player.n)),
    o: () => player.jump(model.stepOver(player.n)),
    Home: () => player.jump(model.steps.first),
    End: () => player.jump(model.steps.last),
    ']': () => player.changeSpeed(1),
    '[': () => player.changeSpeed(-1),
    '/': () => doors.search(),
    g: () => doors.search(),
    '+': () => doors.timeline.zoomBy(2),
    '=': () => doors.timeline.zoomBy(2),
    '-': () => doors.timeline.zoomBy(0.5),
    '0': () => doors.timeline.fit(),
    f: () => model.folds.toggleAll(),
    s: () => doors.timeline.toggleScale(),
    t: () => theme.toggle(),
    l: () => tr.set(tr.language === 'en' ? 'zh' : 'en'),
    q: () => doors.predict.toggle(),
    '?': () => doors.help(),
    Escape: () => player.unpin(),
  };
  const listener = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const target = event.target as HTMLElement;
    const isField = target.matches('input:not([type="range"]), select, textarea') || target.isContentEditable;
    if (isField) return;
    if (doors.isModal()) {
      if (event.key === '?') doors.help();
      return;
    }
    if (document.querySelector('dialog[open]')) return; // of the page around the viewer
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    // What comes next is not to be seen before it is predicted.
    if (doors.predict.isOn && !kAlways.has(key)) {
      if (doors.predict.press(key)) event.preventDefault();
      return;
    }
    if (event.shiftKey && (event.key === 'ArrowLeft' || event.key === 'ArrowRight')) {
      doors.timeline.pan(event.key === 'ArrowRight' ? 120 : -120);
      event.preventDefault();
      return;
    }
    // Space and Enter activate the focused button.
    if (event.key === ' ' && target.closest('button, a, summary')) return;
    const act = keys[key];
    if (!act) return;
    event.preventDefault();
    act();
  };
  document.addEventListener('keydown', listener, { signal: ends });
}
