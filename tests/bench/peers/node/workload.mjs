// Common to the JavaScript peers: the arguments (as in ../workload.hpp; in loopsim from the environment) and the delays.
const [workload, ...numbers] = process.env.WORKLOAD?.split(" ") ?? process.argv.slice(2);
export const chain = workload !== "w1";
export const kind = workload;
export const [pending, callbacks] = chain ? [1, Number(numbers[0])] : numbers.map(Number);

let state = 123456789;
export function delay() {
  state ^= state << 13;
  state ^= state >>> 17;
  state ^= state << 5;
  return 1 + (((state >>> 0) * 1000) / 4294967296 | 0);
}
