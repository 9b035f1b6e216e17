// A callback's colour, by its queue. The names are those of the CSS variables --k-NAME.
export type Kind =
  | 'timers'
  | 'pending'
  | 'idle'
  | 'poll'
  | 'check'
  | 'closing'
  | 'ticks'
  | 'microtasks'
  | 'main'
  | 'other';

export function kindOf(api: string, phase?: string): Kind {
  switch (api) {
    case 'setTimeout':
    case 'setInterval':
      return 'timers';
    case 'setImmediate':
      return 'check';
    case 'nextTick':
      return 'ticks';
    case 'queueMicrotask':
    case 'then':
    case 'catch':
    case 'finally':
    case 'await':
      return 'microtasks';
    case 'fs':
    case 'dns':
    case 'crypto':
    case 'zlib':
    case 'listen':
    case 'connect':
    case 'spawn':
    case 'write':
    case 'end':
      return phase === 'pending' ? 'pending' : 'poll';
    case 'close':
      return 'closing';
    case 'main':
      return 'main';
    default:
      return kindOfPhase(phase ?? '');
  }
}

export function kindOfPhase(phase: string): Kind {
  switch (phase) {
    case 'timers':
    case 'pending':
    case 'poll':
    case 'check':
    case 'closing':
      return phase;
    case 'idle':
    case 'prepare':
      return 'idle';
    case 'main':
      return 'main';
    default:
      return 'other';
  }
}
