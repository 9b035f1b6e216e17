// src/uv.cc
'use strict';

const { errorsOfVersion } = require('internal/uv_errors');
const { atLeast } = require('internal/version');

module.exports = function makeUv() {
  const rows = errorsOfVersion();
  const names = new Map(rows.map(([code, errno]) => [errno, code]));
  const map = () => new Map(rows.map(([code, errno, words]) => [errno, [code, words]]));
  const binding = { errname: (errno) => names.get(errno) ?? `Unknown system error ${errno}` };
  if (atLeast(10)) binding.getErrorMap = map;
  if (atLeast(22)) binding.getErrorMessage = (errno) => map().get(errno)?.[1] ?? `Unknown system error ${errno}`;
  for (const [code, errno] of rows) binding[`UV_${code}`] = errno;
  return binding;
};
