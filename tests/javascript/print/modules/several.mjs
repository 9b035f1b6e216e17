export const a = 1;
export function f() {}
export default class X {}
export let later;
export const o = { x: { y: 1 } };
