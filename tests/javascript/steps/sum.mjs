export let total = 1;
export function add(n) {
  total += n;
}
