// What an array can do, of what is made when it is asked for.
export interface List<T> {
  readonly length: number;
  at(i: number): T | undefined;
}
