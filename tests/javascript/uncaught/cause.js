// An error with a cause, of a class of the program's.
'use strict';
class QueryError extends Error {
  constructor(message, options) {
    super(message, options);
    this.name = 'QueryError';
  }
}
function query() {
  const cause = new TypeError('no connection');
  throw new QueryError('cannot ask', { cause });
}
query();
