// since 8. What is thrown where `new` stands.
setTimeout(function () { const x = 1; new x(); }, 1);
process.once('uncaughtException', function (error) { console.log(error.message); process.nextTick(function () { new Missing(1); }); });
