// The stand-in for test/common, for tests that are ES modules.
import common from './index.js';

export const {
  allowGlobals, buildType, canCreateSymLink, defaultAutoSelectFamilyAttemptTimeout, enoughTestMem, expectsError, expectWarning,
  getArrayBufferViews, getBufferSources, getTTYfd, hasCrypto, hasFullICU, hasInspector, hasIntl, hasIPv6, hasQuic, hasSQLite,
  invalidArgTypeHelper, isAIX, isAlive, isASan, isDebug, isDumbTerminal, isFreeBSD, isIBMi, isLinux, isMacOS, isMainThread, isOpenBSD,
  isSunOS, isWindows, localhostIPv4, mustCall, mustCallAtLeast, mustNotCall, mustNotMutateObjectDeep, mustSucceed, PIPE,
  platformTimeout, PORT, printSkipMessage, skip, skipIf32Bits, skipIfEslintMissing, skipIfInspectorDisabled, skipIfSQLiteMissing,
} = common;
export default common;
