const numbers = Array.from({ length: 100_000 }, (_, index) => index);
const text = 'x'.repeat(500_000);
const object = Object.fromEntries(Array.from({ length: 2_000 }, (_, index) => [`key${index}`, { index }]));
const deep = Array.from({ length: 60 }, () => Array.from({ length: 60 }, () => [{ value: 1 }]));
const password = 'hunter2';
debugger;
console.log(numbers.length, text.length, object, deep, password);
