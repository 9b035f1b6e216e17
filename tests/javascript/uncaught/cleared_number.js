'use strict';
clearImmediate(5);
