let last = 0;
for (let i = 0; i < 10; i++) {
  last = i * i;
}
console.log('done', last);
