// What stands behind the script on the command line.
// arguments: a --flag --name=value 'two words' '' -x $HOME ../é "it's" -- last
console.log(process.argv.length, process.argv.slice(2));
console.log(process.argv[1].split('/').pop(), process.argv[0] === process.execPath, process.execArgv);
