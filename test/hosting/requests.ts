/** What servers are asked, in this order, by a direct client and through us: each tool, prompt, resource and completion. */
import type { Fields } from '../../src/core/json.ts';

export interface Request {
  method: string;
  params?: Fields;
}

const list = (what: string): Request => ({ method: `${what}/list` });
const tool = (name: string, args: Fields = {}): Request => ({
  method: 'tools/call',
  params: { name, arguments: args },
});
const prompt = (name: string, args?: Fields): Request => ({
  method: 'prompts/get',
  params: { name, ...(args && { arguments: args }) },
});
const read = (uri: string): Request => ({ method: 'resources/read', params: { uri } });
const complete = (ref: Fields, name: string, value: string, context?: Fields): Request => ({
  method: 'completion/complete',
  params: { ref, argument: { name, value }, ...(context && { context: { arguments: context } }) },
});

const completable = { type: 'ref/prompt', name: 'completable-prompt' };
const textTemplate = { type: 'ref/resource', uri: 'demo://resource/dynamic/text/{resourceId}' };
const gzip = { name: 'a.gz', data: 'data:text/plain,hello' };

/** Of server-everything. Not its environment, and nothing that starts to send by itself. */
export const EVERYTHING: Request[] = [
  ...['tools', 'prompts', 'resources', 'resources/templates'].map(list),
  tool('echo', { message: 'Grüße 你好 \u2028' }),
  tool('echo'),
  tool('get-annotated-message', { messageType: 'error', includeImage: true }),
  tool('get-resource-links', { count: 4 }),
  tool('get-resource-reference', { resourceType: 'Text', resourceId: 3 }),
  tool('get-structured-content', { location: 'Chicago' }),
  tool('get-tiny-image'),
  tool('gzip-file-as-resource', { ...gzip, outputType: 'resource' }),
  tool('gzip-file-as-resource', { ...gzip, outputType: 'resourceLink' }),
  read('demo://resource/session/a.gz'),
  tool('trigger-long-running-operation', { duration: 0.01, steps: 2 }),
  prompt('simple-prompt'),
  prompt('args-prompt', { city: 'Basel', state: 'BS' }),
  prompt('completable-prompt', { department: 'Sales', name: 'Eve' }),
  prompt('resource-prompt', { resourceType: 'Text', resourceId: '1' }),
  read('demo://resource/static/document/startup.md'),
  read('demo://resource/dynamic/text/5'),
  read('demo://resource/dynamic/blob/6'),
  read('demo://resource/none'),
  complete(completable, 'department', 'S'),
  complete(completable, 'name', '', { department: 'Sales' }),
  complete(textTemplate, 'resourceId', '7'),
];

/** Of server-filesystem, in a folder with `TREE`. They can be repeated. */
export const FILES: Request[] = [
  list('tools'),
  tool('read_text_file', { path: 'a.txt', head: 1 }),
  tool('read_text_file', { path: '/etc/passwd' }),
  tool('read_media_file', { path: 'sub/logo.png' }),
  tool('write_file', { path: 'new.txt', content: 'new\n' }),
  tool('get_file_info', { path: 'still.txt' }),
];

export const MEMORY: Request[] = [
  ...['tools', 'resources', 'resources/templates'].map(list),
  tool('create_entities', {
    entities: ['a', 'b'].map((name) => ({ name, entityType: 'letter', observations: ['early'] })),
  }),
  tool('read_graph'),
  tool('search_nodes', { query: 'early' }),
  read('memory://knowledge-graph'),
  tool('delete_entities', { entityNames: ['a', 'b'] }),
  tool('read_graph'),
];

/** Of modernServer.ts. */
export const MODERN: Request[] = [
  ...['tools', 'prompts', 'resources', 'resources/templates'].map(list),
  tool('mirror', { x: 1, y: 2 }),
  tool('mirror', { x: 1 }),
  ...['blocks', 'fail', 'throw'].map((name) => tool(name)),
  prompt('poem', { topic: 'red' }),
  prompt('poem'),
  read('note://a/b?c=1#d'),
  read('page://alpha'),
  read('note://none'),
  complete({ type: 'ref/prompt', name: 'poem' }, 'topic', 'r'),
  complete({ type: 'ref/resource', uri: 'page://{name}' }, 'name', 'b'),
];
