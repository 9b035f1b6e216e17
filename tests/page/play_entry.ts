// Exports of the playground for its tests in Node.
export { Engine, NotRun } from '../../tools/page/src/play/engine';
export { EngineHost, isTooDeep } from '../../tools/page/src/play/engine_host';
export { kFieldMeanings } from '../../tools/page/src/play/field_meanings';
export { problemsOf, uncaughtIn } from '../../tools/page/src/play/problems';
export { runOf } from '../../tools/page/src/play/run_data';
export { scenarioText } from '../../tools/page/src/play/scenario_text';
export { familyOf, isSetting, kDefaults, optionsOf } from '../../tools/page/src/play/settings';
export { kMostLink, kMostSource, readShared, writeShared } from '../../tools/page/src/play/share';
export { kPlayWords } from '../../tools/page/src/play/words';
export { SchemaReader } from '../../tools/page/src/play/schema';
export { metricsOf, pointsOf, readRows } from '../../tools/page/src/play/sweep';
