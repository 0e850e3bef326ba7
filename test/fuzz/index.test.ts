/** All property tests in one process, which counts the messages of all. */
import './opening.ts';
import './shapes.ts';
import './shim.ts';
import './tools.ts';
