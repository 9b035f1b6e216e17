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
    case 'AbortSignal.timeout':
      return 'timers';
    case 'setImmediate':
    case 'requestAnimationFrame':
      return 'check';
    case 'requestIdleCallback':
      return 'idle';
    case 'nextTick':
      return 'ticks';
    case 'queueMicrotask':
    case 'MutationObserver':
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
    case 'postMessage':
      return 'pending';
    case 'postTask':
    case 'yield':
    case 'fetch':
    case 'history':
    case 'IntersectionObserver':
    case 'event':
      return 'poll';
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
    case 'idlePeriod':
      return 'idle';
    case 'task':
      return 'poll';
    case 'rendering':
      return 'check';
    case 'main':
      return 'main';
    default:
      return 'other';
  }
}

// The colour of an event: that of its phase. While the thread of a browser sleeps it is in none.
export function kindOfEvent({ ev, phase }: { ev: string; phase: string }): Kind {
  return ev === 'wait' ? 'idle' : kindOfPhase(phase);
}
