// since 6. A constant without a value.
const ms;
setTimeout(() => {}, ms);
