/** Keeps compiled code for the processes that come later: the tests start hundreds that load the same files. */
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { cacheDirectory } from './host/paths.ts';

process.env.NODE_COMPILE_CACHE ??= join(cacheDirectory, 'compiled');
enableCompileCache(process.env.NODE_COMPILE_CACHE);
