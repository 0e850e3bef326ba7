/** All property tests in one process, which counts the messages of all. */
import './shapes.ts';
import './tools.ts';
