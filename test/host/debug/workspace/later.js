const { setTimeout: delay } = require('node:timers/promises');

async function price(name) {
  await delay(20);
  return name.length;
}

async function main() {
  const first = await price('apple');
  const second = await price('fig');
  console.log(first + second);
}

main();
