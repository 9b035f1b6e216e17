// since 8. A name that is declared twice.
let delay = 1;
const text = '延迟'; let delay = 2;
