process.on('exit', (code) => console.log('exit', code));
export const value = [1, { two: `${await (async () => { await new Promise(() => {}); })()}` }];
