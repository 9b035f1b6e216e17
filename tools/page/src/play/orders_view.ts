// Which orders of the output occur when the machine varies, and how often: `loopsim orders`.
import { h } from '../dom';
import type { Outcome, Job } from './engine_protocol';
import { jobView } from './job_view';
import { readReport, type Orders } from './report';
import { familyOf, fileName, optionsOf, type Settings } from './settings';
import type { SideView } from './views';
import type { Say } from './words';

const kRuns = 200;
const kMostOrders = 50;
const kMostLines = 40;

export function ordersView(
  say: Say,
  what: () => { source: string; settings: Settings; runtime: string } | null,
  run: (job: Job) => Promise<Outcome>,
  stop: () => void,
): SideView {
  const answer = jobView(say, run, stop);
  const about = h('p', { class: 'muted' });
  const element = h('section', { class: 'play-side play-orders', tabindex: '0', role: 'group' }, about, answer.body);
  const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;

  function draw({ orders, runs, random }: Orders): Node[] {
    const list = orders.slice(0, kMostOrders).map((one) => {
      const lines = one.lines ?? one.callbacks ?? [];
      const bar = h('span', { class: 'order-bar', 'aria-hidden': 'true' }, h('span', {}));
      (bar.firstElementChild as HTMLElement).style.width = `${100 * one.share}%`;
      return h(
        'li',
        {},
        h(
          'p',
          { class: 'order-share' },
          h('b', {}, percent(one.share)),
          ` ${say('orders.range', percent(one.low), percent(one.high), one.runs, String(one.seed))}`,
        ),
        bar,
        h(
          'ol',
          { class: 'order-lines' },
          ...lines.slice(0, kMostLines).map((line) => h('li', {}, line)),
          ...(lines.length > kMostLines ? [h('li', {}, say('problems.more', lines.length - kMostLines))] : []),
        ),
      );
    });
    const verdict =
      orders.length === 1
        ? say(random ? 'orders.one' : 'orders.certain', runs)
        : say('orders.several', orders.length, runs);
    const more =
      orders.length > kMostOrders
        ? [h('p', { class: 'muted' }, say('problems.more', orders.length - kMostOrders))]
        : [];
    return [h('p', { class: 'compare-verdict' }, verdict), h('ol', { class: 'orders' }, ...list), ...more];
  }
  function refresh(): void {
    const one = what();
    if (!one) return answer.tell('viewer.empty');
    if (familyOf(one.runtime) === 'io') return answer.tell('orders.io');
    const file = fileName(one.settings.kind);
    const words = ['orders', file, '-f', 'json', '--runs', String(kRuns), '--jobs', '1', ...optionsOf(one.settings)];
    answer.ask({ job: { words, files: { [file]: one.source } }, file }, (outcome) => {
      const orders = readReport<Orders>(outcome.stdout, 'loopsim_orders');
      return orders ? draw(orders) : [];
    });
  }
  return {
    name: 'orders',
    word: 'view.orders',
    element,
    refresh,
    leave: answer.leave,
    translate: () => {
      about.textContent = say('orders.about', kRuns);
      element.setAttribute('aria-label', say('view.orders'));
      answer.translate();
    },
  };
}
