// Exports of the page for the tests of the model.
export { Model } from '../../tools/page/src/model/model';
export { PartFinder } from '../../tools/page/src/model/parts';
export { readRun } from '../../tools/page/src/model/data';
export { longRun } from '../../tools/page/src/model/long_run';
export { eventWords, foldWords, ownWords } from '../../tools/page/src/event_words';
export { Translator, kWords } from '../../tools/page/src/i18n';
export { readLink, writeLink } from '../../tools/page/src/link';
export { questionsOf } from '../../tools/page/src/model/predictions';
export { answersOf } from '../../tools/page/src/model/answers';
export { kindOf, kindOfEvent } from '../../tools/page/src/kinds';
export { makeLanes } from '../../tools/page/src/views/lanes';
