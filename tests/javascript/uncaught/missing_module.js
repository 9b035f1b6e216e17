// A module that is not there.
'use strict';
require('./nothing-here');
