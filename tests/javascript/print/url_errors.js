var URL = require('url').URL;
var given = [['x'], ['x', 'y'], ['/a', 'b'], ['http://'], ['http://a', 'zzz'], []];
if (URL) given.forEach(function (list) {
  try { console.log(list.length === 0 ? new URL() : new URL(list[0], list[1])); } catch (error) {
    console.log(error.name, '|', error.code, '|', error.message, '|', error.input, '|', error.base, '|', String(error));
  }
});
