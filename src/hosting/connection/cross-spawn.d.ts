declare module 'cross-spawn' {
  import { spawn } from 'node:child_process';
  export default spawn;
}
