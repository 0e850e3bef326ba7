/** The debugger of VS Code, driven by an agent. */
import './adapters.test.ts';
import './bounds.test.ts';
import './node.test.ts';
import './user.test.ts';
