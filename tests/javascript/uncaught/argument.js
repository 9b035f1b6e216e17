// An argument of a function of Node's.
'use strict';
setTimeout('not a function', 10);
