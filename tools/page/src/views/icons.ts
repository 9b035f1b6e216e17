// Icons of the controls, on a grid of 24.
import { svg } from '../dom';

const kPaths = {
  first: 'M6 5v14M19 5l-9 7 9 7z',
  last: 'M18 5v14M5 5l9 7-9 7z',
  back: 'M16 5l-9 7 9 7z',
  forward: 'M8 5l9 7-9 7z',
  previousCallback: 'M12 5l-8 7 8 7zM21 5l-8 7 8 7z',
  nextCallback: 'M3 5l8 7-8 7zM12 5l8 7-8 7z',
  over: 'M4 13a8 8 0 0 1 15-2M20 5v6h-6M12 20h.01',
  play: 'M7 4l13 8-13 8z',
  pause: 'M7 4h3v16H7zM14 4h3v16h-3z',
  search: 'M10.5 4a6.5 6.5 0 1 1 0 13 6.5 6.5 0 0 1 0-13zM20 20l-4.7-4.7',
  theme: 'M12 4a8 8 0 1 0 0 16zM12 4a8 8 0 0 1 0 16',
  help: 'M9 9a3 3 0 1 1 4.2 2.7c-.8.4-1.2 1-1.2 1.8v.5M12 17.5h.01',
  close: 'M6 6l12 12M18 6L6 18',
} as const;
export type IconName = keyof typeof kPaths;

const kFilled = new Set<IconName>([
  'first',
  'last',
  'back',
  'forward',
  'previousCallback',
  'nextCallback',
  'play',
  'pause',
]);

export function icon(name: IconName): SVGSVGElement {
  return svg(
    'svg',
    {
      class: `icon-picture ${kFilled.has(name) ? 'is-filled' : ''}`,
      viewBox: '0 0 24 24',
      width: 22,
      height: 22,
      'aria-hidden': 'true',
      focusable: 'false',
    },
    svg('path', { d: kPaths[name] }),
  );
}
