// The module net as the version of Node has it: its sockets are streams, which are loaded when the first is asked for.
'use strict';

function netOfVersion() {
  const net = require('net');
  net.adapt?.();
  delete net.adapt;
  return net;
}

module.exports = { netOfVersion };
