// Dependencies shared by all views.
import type { Translator } from './i18n';
import type { Model } from './model/model';
import type { Player, Position } from './player';
import type { ThemeChoice } from './theme';

export interface Context {
  model: Model;
  player: Player;
  tr: Translator;
  theme: ThemeChoice;
  root: HTMLElement; // of this viewer: what is shown, as data attributes, and the colours
  ends: AbortSignal; // when the viewer is taken away
  id(name: string): string; // unique in the page, which may have several viewers
}

export interface View {
  element: HTMLElement;
  show(position: Position): void; // the position has changed
  settle?(): void; // after every view's show(): what reads the layout, so that it is computed once
  translate(): void; // the language has changed; show() follows
  load?(): void; // the model has another run; show() follows
}
