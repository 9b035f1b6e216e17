// Keyboard shortcuts. A focused control handles its own keys.
import type { Context } from './context';
import type { TimelineView } from './views/timeline';

interface Doors {
  timeline: TimelineView;
  search: () => void;
  help: () => void;
  isModal: () => boolean;
}

export function listenToKeys({ model, player, tr, theme }: Context, doors: Doors): void {
  const keys: Record<string, () => void> = {
    ' ': () => player.toggle(),
    k: () => player.toggle(),
    ArrowRight: () => player.jump(model.steps.after(player.n)),
    ArrowLeft: () => player.jump(model.steps.before(player.n)),
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
    s: () => doors.timeline.toggleScale(),
    t: () => theme.toggle(),
    l: () => tr.set(tr.language === 'en' ? 'zh' : 'en'),
    '?': () => doors.help(),
    Escape: () => player.unpin(),
  };
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const target = event.target as HTMLElement;
    const isField = target.matches('input[type="text"], select, textarea');
    if (isField) return;
    if (doors.isModal()) {
      if (event.key === '?') doors.help();
      return;
    }
    if (event.shiftKey && (event.key === 'ArrowLeft' || event.key === 'ArrowRight')) {
      doors.timeline.pan(event.key === 'ArrowRight' ? 120 : -120);
      event.preventDefault();
      return;
    }
    // Space and Enter activate the focused button.
    if (event.key === ' ' && target.closest('button, a, summary')) return;
    const act = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!act) return;
    event.preventDefault();
    act();
  });
}
