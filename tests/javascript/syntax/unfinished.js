// A script that ends too early.
setTimeout(function () {
  console.log('late');
}, 10
