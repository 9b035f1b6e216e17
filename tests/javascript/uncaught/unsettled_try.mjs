try {
  await Promise.resolve();
  await Promise.race([
    new Promise(() => {}),
  ]);
} finally {
  console.log('never');
}
