// The least that a shim can be: a bare Node, a socket, and the bytes.
const socket = require('node:net').connect(process.env.BENCH_SOCKET);
process.stdin.pipe(socket);
socket.pipe(process.stdout);
