// The least that a hook can be: a bare Node that reaches a socket.
require('node:net')
  .connect(process.env.BENCH_SOCKET)
  .on('connect', () => process.exit());
