// Modules: their variables, imports, top-level await.
import { total, add } from './sum.mjs';
const before = total;
add(2);
const after = total;
const waited = await Promise.resolve('later');
console.log(before, after, waited);
export default class Late {}
