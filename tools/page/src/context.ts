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
}

export interface View {
  element: HTMLElement;
  show(position: Position): void; // the position has changed
  settle?(): void; // after every view's show(): what reads the layout, so that it is computed once
  translate(): void; // the language has changed; show() follows
}
