// A timer of 40 ms, and one of 20 ms that is set after 20 ms: the standard leaves their order open.
setTimeout(() => setTimeout(() => console.log('20 + 20'), 20), 20);
setTimeout(() => console.log('40'), 40);
