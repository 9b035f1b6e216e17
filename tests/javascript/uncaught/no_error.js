// What is thrown is no error.
'use strict';
setTimeout(() => {
  const it = { name: 'Thing', message: 'no error' };
  throw it;
}, 1);
