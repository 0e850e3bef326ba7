let lines = 0;
setInterval(() => {
  for (let i = 0; i < 50; i++) console.log(`line ${lines++} ${'x'.repeat(200)}`);
}, 20);
