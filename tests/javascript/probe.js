// Whether this build runs JavaScript at all.
console.log('it does');
