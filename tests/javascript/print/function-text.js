// stdout only. What Function.prototype.toString says of functions that have no text.
var r; new Promise(function(a){r=a});
function t(f){try{return f()}catch(e){return e.name+': '+e.message}}
console.log([String(Math.max), String(function(){}.bind()), t(function(){return String(Object.getOwnPropertyDescriptor(Map.prototype,'size').get)}),String(Proxy), String(Promise), String(Symbol.iterator in [] && [][Symbol.iterator]),String(RegExp.prototype[Symbol.replace]),String(Function.prototype), String(Function.prototype.toString),
 t(function(){return Function.prototype.toString.call({})}), t(function(){return Function.prototype.toString.call(5)}), t(function(){return String(new Proxy(function(){},{}))}), t(function(){return Function.prototype.toString.call(new Proxy({},{}))}),
 Function.prototype.toString.length, Function.prototype.toString.name, t(function(){new Function.prototype.toString()}),
 String(Object.getOwnPropertyDescriptor(Object.prototype,'__proto__').set)].join('\n'));
