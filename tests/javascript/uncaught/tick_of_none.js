'use strict';
process.nextTick(5);
