// Dates and numbers as texts in American English, which Node's own ICU has: QuickJS has no Intl. The time zone is UTC.
//
// Of the options of Intl.DateTimeFormat there are those that choose and shorten parts, hour12, dateStyle and timeStyle; of
// Intl.NumberFormat the numbers of digits, useGrouping and style 'percent'. Other locales are taken for this one.
'use strict';

const { nameBuiltin } = require('internal/stack');
const { atLeast } = require('internal/version');
const { apply } = Reflect;

const kMonths = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November',
                 'December'];
const kDays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const { getTime, toString, toTimeString } = Date.prototype;

// What a version lacks is taken away from the prototypes.
const { padEnd, padStart } = String.prototype;
const padded = (number, length) => apply(padStart, String(number), [length, '0']);
const two = (number) => padded(number, 2);
const zone = () => (atLeast(10) ? ' (Coordinated Universal Time)' : ' (UTC)');

// ---- dates ------------------------------------------------------------------------------------------------------------

const kStyles = {
  date: {
    full: { weekday: 'long', year: 'numeric', month: 'long', day: 'numeric' },
    long: { year: 'numeric', month: 'long', day: 'numeric' },
    medium: { year: 'numeric', month: 'short', day: 'numeric' },
    short: { year: '2-digit', month: 'numeric', day: 'numeric' },
  },
  time: {
    full: { hour: 'numeric', minute: '2-digit', second: '2-digit', timeZoneName: 'long' },
    long: { hour: 'numeric', minute: '2-digit', second: '2-digit', timeZoneName: 'short' },
    medium: { hour: 'numeric', minute: '2-digit', second: '2-digit' },
    short: { hour: 'numeric', minute: '2-digit' },
  },
};
const kDateParts = ['weekday', 'year', 'month', 'day'];
const kTimeParts = ['hour', 'minute', 'second', 'fractionalSecondDigits'];
const kDefaults = {
  date: { year: 'numeric', month: 'numeric', day: 'numeric' },
  time: { hour: 'numeric', minute: '2-digit', second: '2-digit' },
};

// What is shown: ToDateTimeOptions(options, required, defaults) of ECMA-402.
function partsOf(options, required, defaults) {
  const asked = {};
  for (const name of [...kDateParts, ...kTimeParts, 'timeZoneName', 'hour12']) {
    if (options?.[name] !== undefined) asked[name] = options[name];
  }
  if (!atLeast(14)) delete asked.fractionalSecondDigits;
  const { dateStyle, timeStyle } = atLeast(12) && options || {};
  if (dateStyle !== undefined || timeStyle !== undefined) {
    return { ...asked, ...kStyles.date[dateStyle], ...kStyles.time[timeStyle] };
  }
  const wanted = [...(required !== 'time' ? kDateParts : []), ...(required !== 'date' ? kTimeParts : [])];
  if (wanted.some((name) => asked[name] !== undefined)) return asked;
  return { ...asked, ...(defaults !== 'time' && kDefaults.date), ...(defaults !== 'date' && kDefaults.time) };
}

function dateText(date, parts) {
  const { weekday, year, month, day } = parts;
  const yearText = year === undefined ? '' : year === '2-digit' ? two(date.getUTCFullYear() % 100) : `${date.getUTCFullYear()}`;
  const dayText = day === undefined ? '' : day === '2-digit' ? two(date.getUTCDate()) : `${date.getUTCDate()}`;
  const dayName = kDays[date.getUTCDay()];
  const weekdayText = weekday === undefined ? '' : weekday === 'long' ? dayName : weekday === 'short' ? dayName.slice(0, 3) : dayName[0];
  if (month === 'long' || month === 'short' || month === 'narrow') {
    const name = kMonths[date.getUTCMonth()];
    const monthText = month === 'long' ? name : month === 'short' ? name.slice(0, 3) : name[0];
    const inYear = dayText === '' ? monthText : `${monthText} ${dayText}`;
    const rest = yearText === '' ? inYear : `${inYear}${dayText === '' ? '' : ','} ${yearText}`;
    return weekdayText === '' ? rest : `${weekdayText}, ${rest}`;
  }
  const monthText = month === undefined ? '' : month === '2-digit' ? two(date.getUTCMonth() + 1) : `${date.getUTCMonth() + 1}`;
  const rest = [monthText, dayText, yearText].filter((text) => text !== '').join('/');
  return [weekdayText, rest].filter((text) => text !== '').join(month === undefined && year === undefined ? ' ' : ', ');
}

function timeText(date, { hour, minute, second, fractionalSecondDigits, hour12 }) {
  const isHalf = hour12 !== false;
  const midnight = atLeast(14) && !atLeast(22) ? 24 : 0;
  const hours = isHalf ? date.getUTCHours() % 12 || 12 : date.getUTCHours() || midnight;
  const keepsZero = atLeast(12) || (atLeast(10) && !atLeast(11));
  const fields = [];
  if (hour !== undefined) fields.push((hour === '2-digit' && keepsZero) || !isHalf ? two(hours) : `${hours}`);
  if (minute !== undefined) fields.push(hour === undefined && second === undefined ? `${date.getUTCMinutes()}` : two(date.getUTCMinutes()));
  if (second !== undefined) fields.push(fields.length === 0 ? `${date.getUTCSeconds()}` : two(date.getUTCSeconds()));
  let text = fields.join(':');
  if (fractionalSecondDigits > 0) {
    const fraction = padded(date.getUTCMilliseconds(), 3).slice(0, fractionalSecondDigits);
    text += second === undefined ? fraction : `.${fraction}`;
  }
  return hour !== undefined && isHalf ? `${text} ${date.getUTCHours() < 12 ? 'AM' : 'PM'}` : text;
}

function dateToLocale(time, locales, options, required, defaults) {
  const date = new Date(time);
  if (Number.isNaN(time)) return 'Invalid Date';
  const isNone = !atLeast(10) && atLeast(8) && (locales === undefined || locales.length === 0);
  if (isNone && options === undefined) return earlyText(date, required);
  const parts = { ...isNone && { hour12: false }, ...partsOf(options, required, defaults) };
  const day = kDateParts.some((name) => parts[name] !== undefined) ? dateText(date, parts) : '';
  let clock = kTimeParts.some((name) => parts[name] !== undefined) ? timeText(date, parts) : '';
  if (parts.timeZoneName !== undefined) clock += parts.timeZoneName === 'long' ? ' Coordinated Universal Time' : ' UTC';
  if (day === '' || clock === '') return day + clock;
  const isLong = atLeast(12) && (options?.dateStyle === 'full' || options?.dateStyle === 'long');
  const isWeekday = kDateParts.every((name) => (name === 'weekday') === (parts[name] !== undefined));
  return `${day}${isLong ? ' at ' : isWeekday && atLeast(20) ? ' ' : ', '}${clock}`;  // "Saturday 2 PM", before 20 with a comma
}

// Node 8 takes the locale of the environment, which is none.
function earlyText(date, required) {
  const day = `${date.getUTCFullYear()}-${date.getUTCMonth() + 1}-${date.getUTCDate()}`;
  const clock = `${two(date.getUTCHours())}:${two(date.getUTCMinutes())}:${two(date.getUTCSeconds())}`;
  return required === 'date' ? day : required === 'time' ? clock : `${day} ${clock}`;
}

const dates = {
  toString() {
    const text = apply(toString, this, []);
    return text === 'Invalid Date' ? text : text + zone();
  },
  toTimeString() {
    const text = apply(toTimeString, this, []);
    return text === 'Invalid Date' ? text : text + zone();
  },
  toLocaleString(locales, options) { return dateToLocale(apply(getTime, this, []), locales, options, 'any', 'all'); },
  toLocaleDateString(locales, options) { return dateToLocale(apply(getTime, this, []), locales, options, 'date', 'date'); },
  toLocaleTimeString(locales, options) { return dateToLocale(apply(getTime, this, []), locales, options, 'time', 'time'); },
};

// ---- numbers ----------------------------------------------------------------------------------------------------------

function grouped(digits) { return digits.replace(/\B(?=(\d{3})+$)/g, ','); }

// The digits of a number that is not negative, and how many of them stand before the point.
function digitsOf(number) {
  const text = atLeast(10) ? String(number) : String(+number.toPrecision(15));
  const [, whole, fraction = '', exponent = '0'] = /^(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(text);
  return { digits: whole + fraction, point: whole.length + Number(exponent) };
}

// Rounds half up, as a decimal number: [before the point, behind it].
function rounded({ digits, point }, most) {
  const keep = point + most;
  if (keep < 0) return ['0', apply(padEnd, '', [most, '0'])];
  let kept = [...apply(padEnd, digits.slice(0, keep), [keep, '0'])].map(Number);
  if (keep < digits.length && digits[keep] >= '5') {
    let at = kept.length - 1;
    for (; at >= 0 && kept[at] === 9; at--) kept[at] = 0;
    if (at >= 0) kept[at]++;
    else kept = [1, ...kept];
  }
  const text = padded(kept.join(''), most + 1);
  return [text.slice(0, text.length - most).replace(/^0+(?=\d)/, ''), most === 0 ? '' : text.slice(-most)];
}

function numberToLocale(number, options) {
  const isPercent = options?.style === 'percent';
  const unit = isPercent ? '%' : '';
  if (Number.isNaN(number)) return `NaN${atLeast(10) ? unit : ''}`;
  const least = options?.minimumFractionDigits ?? 0;
  const most = options?.maximumFractionDigits ?? Math.max(least, isPercent && atLeast(6) ? 0 : 3);
  for (const [name, value] of [['minimumFractionDigits', least], ['maximumFractionDigits', most]]) {
    if (!(value >= 0 && value <= (atLeast(20) ? 100 : 20))) throw new RangeError(`${name} value is out of range.`);
  }
  const sign = number < 0 || (Object.is(number, -0) && atLeast(12)) ? '-' : '';
  if (Math.abs(number) === Infinity) return `${sign}\u221e${unit}`;
  const { digits, point } = digitsOf(Math.abs(number));
  let [whole, fraction] = rounded({ digits, point: point + (isPercent ? 2 : 0) }, most);
  while (fraction.length > least && fraction.endsWith('0')) fraction = fraction.slice(0, -1);
  if (options?.useGrouping !== false) whole = grouped(whole);
  return `${sign}${whole}${fraction === '' ? '' : `.${fraction}`}${unit}`;
}

const { valueOf } = Number.prototype;
const { toString: bigintToString } = BigInt.prototype;
const numbers = { toLocaleString(locales, options) { return numberToLocale(apply(valueOf, this, []), options); } };
const bigints = {
  toLocaleString() {
    const text = apply(bigintToString, this, []);
    if (!atLeast(12)) return text;
    return text[0] === '-' ? `-${grouped(text.slice(1))}` : grouped(text);
  },
};

function install() {
  for (const [prototype, functions, name] of [[Date.prototype, dates, 'Date'], [Number.prototype, numbers, 'Number'],
                                              [BigInt.prototype, bigints, 'BigInt']]) {
    for (const [key, value] of Object.entries(functions)) {
      Object.defineProperty(value, 'length', { value: 0 });
      Object.defineProperty(prototype, key, { value, writable: true, enumerable: false, configurable: true });
      nameBuiltin(value, `${name}.${key}`);
    }
  }
}

module.exports = { install };
