'use strict';
setImmediate('text');
