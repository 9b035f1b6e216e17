// Times as in the text format: milliseconds with three decimals, or six if there are fractions of a microsecond.
export function ms(ns: number): string {
  const micro = ns % 1000 === 0;
  return (ns / 1e6).toFixed(micro ? 3 : 6);
}

// For axes and bars: in the shortest form.
export function shortMs(ns: number): string {
  const value = ns / 1e6;
  if (value === 0) return '0';
  if (Math.abs(value) >= 1000) return `${trim((value / 1000).toFixed(3))} s`;
  return `${trim(value.toFixed(3))}`;
}

// A delay: 100, 2.5, 13000.
export function plainMs(ns: number): string {
  return trim((ns / 1e6).toFixed(6));
}

function trim(text: string): string {
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}

export function count(value: number): string {
  return value.toString().replace(/\B(?=(\d{3})+$)/g, '\u2009');
}
