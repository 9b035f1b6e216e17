// Quotes of a text processor.
console.log(“timeout”);
