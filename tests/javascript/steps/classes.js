// Classes: fields, accessors, inheritance, methods as callbacks.
class Shape {
  static count = 0;
  name = 'shape';
  #secret = 1;
  constructor(sides) {
    this.sides = sides;
    Shape.count++;
  }
  get double() {
    const twice = this.sides * 2;
    return twice;
  }
  reveal() {
    return this.#secret;
  }
}
class Square extends Shape {
  constructor(size) {
    super(4);
    this.size = size;
  }
  area() {
    const { size } = this;
    return size * size;
  }
}
const square = new Square(3);
const area = square.area();
console.log(area, square.double, square.reveal(), Shape.count);
setImmediate(square.area.bind(square));
const { EventEmitter } = require('events');
const emitter = new EventEmitter();
emitter.on('go', function handler(...words) {
  const text = words.join(' ');
  console.log(this === emitter, text);
});
emitter.emit('go', 'a', 'b');
