// A bracket that closes nothing, behind text that is not ASCII.
console.log('计时器', 'émoji 😀', (1 + 2)));
