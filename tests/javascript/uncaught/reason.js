// A rejection with what is no error.
'use strict';
class Account {}
Promise.reject(new Account());
