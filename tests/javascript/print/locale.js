// Dates and numbers as texts of a locale.
'use strict';
var d = new Date(0);
console.log(String(d));
console.log(d.toTimeString());
console.log(d.toDateString());
console.log(d.toUTCString());
console.log(d.toLocaleString());
console.log(d.toLocaleDateString());
console.log(d.toLocaleTimeString());
console.log(d + 1);
console.log(new Date(NaN) + '');
console.log(Date().length > 30);
console.log(new Date(2020, 1, 29, 12).toString());
try { new Date(NaN).toISOString() } catch (e) { console.log(String(e)) } console.log(d.getTimezoneOffset());
console.log(d.toLocaleString('en-US', {hour12: false}));
console.log((1234567.891).toLocaleString());
{
const d = new Date(1582986896789); const D = (o) => { try { return d.toLocaleString('en-US', o); } catch (e) { return String(e); } };
for (const o of [{ weekday: 'long' }, { month: 'long' }, { year: 'numeric' }, { month: 'short', day: 'numeric' }, { year: 'numeric', month: 'long', day: 'numeric' }, { weekday: 'short', year: 'numeric', month: 'short', day: '2-digit' }, { hour: '2-digit', minute: '2-digit' }, { hour: 'numeric' }, { minute: '2-digit', second: '2-digit' }, { hour12: false }, { hour: '2-digit', minute: '2-digit', second: '2-digit', hour12: false }, { year: '2-digit', month: '2-digit', day: '2-digit' }, { month: 'numeric', day: 'numeric' }, { year: 'numeric', month: 'numeric' }, { weekday: 'long', month: 'numeric', day: 'numeric', year: 'numeric' }, { timeZone: 'UTC' }, { month: 'long', year: 'numeric' }, { second: 'numeric' }, { minute: 'numeric' }, { weekday: 'long', hour: 'numeric' }, { day: 'numeric' }, { hour: 'numeric', minute: 'numeric', hour12: true }]) console.log(JSON.stringify(o), D(o));
console.log(d.toLocaleDateString(), d.toLocaleTimeString(), d.toLocaleDateString('en-US', { weekday: 'long', month: 'short', day: 'numeric' }), d.toLocaleTimeString('en-US', { hour12: false }), d.toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' }));
for (const n of [0, -0, 1, 999, 1000, 1234.5678, -1234567.891, 1e21, 0.0005, NaN, Infinity, 1e-7, 123456789012345680000]) console.log(n.toLocaleString(), n.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 }), n.toLocaleString('en-US', { style: 'percent' }));
console.log([new Date(0)].toLocaleString(), Date.prototype.toLocaleString.length, Date.prototype.toString.name, String(Date.prototype.toString));
}
{
const d = new Date(1582986896789); const D = (o) => { try { return d.toLocaleString('en-US', o); } catch (e) { return String(e); } };
for (const o of [{ dateStyle: 'full' }, { dateStyle: 'long' }, { dateStyle: 'medium' }, { dateStyle: 'short' }, { timeStyle: 'medium' }, { timeStyle: 'short' }, { timeStyle: 'long' }, { timeStyle: 'full' }, { dateStyle: 'short', timeStyle: 'short' }, { dateStyle: 'long', timeStyle: 'short' }, { dateStyle: 'medium', timeStyle: 'medium' }, { fractionalSecondDigits: 3, second: '2-digit', minute: '2-digit', hour: '2-digit' },{ minute: '2-digit', second: '2-digit', fractionalSecondDigits: 3 }]) console.log(JSON.stringify(o), D(o));

}
