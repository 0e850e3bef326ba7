import assert from 'node:assert/strict';
import { symlinkSync } from 'node:fs';
import type { Answer } from '../../../../src/access/consent/types.ts';
import { UserError } from '../../../../src/core/errors.ts';
import { serverGrant } from '../../../../src/core/grants.ts';
import { fieldsOf } from '../../../../src/core/json.ts';
import type { Input } from '../../../../src/features/context.ts';
import { hostedToolSource } from '../../../../src/features/hosted/hostedToolSource.ts';
import { hostedTool, toolsOf } from '../../../../src/features/hosted/hostedTools.ts';
import { hostedResources } from '../../../../src/features/hosted/promptsAndResources.ts';
import { callTool } from '../../../../src/protocol/tools.ts';
import { itWithLinks } from '../../../temporary.ts';
import { until } from '../../../until.ts';
import { definition, cleanUp as endServers, openHosting } from '../../hosting/openHosting.ts';
import { refused } from '../../hosting/schemas/refused.ts';
import { CALL, cleanUp, openWindow } from '../window.ts';

describe('features/hosted/hostedTools', () => {
  afterEach(async () => {
    cleanUp();
    await endServers();
  });

  /** A window with a server that runs. */
  async function open(faulty: object = definition('faulty'), files = {}) {
    const opened = await openHosting({ faulty });
    const window = openWindow(files, { hosting: opened.hosting });
    const [server] = opened.hosting.servers;
    assert.ok(server);
    await server.trust();
    await server.processes.read();
    const call = (name: string, args = {}, input: Input = CALL.input) =>
      callTool(hostedTool(name, window.ctx), { name, arguments: args }, window, { ...CALL, input });
    return { ...opened, ...window, server, call };
  }

  it('asks again after the user has taken back the approval of the server, whatever the answer was', async () => {
    const { consent, hosting, server, call } = await open();
    const answers = [
      { allow: 'workspace', whole: true },
      { allow: 'session', whole: true },
      { deny: '', session: true },
    ] satisfies Answer[];
    for (const [index, answer] of answers.entries()) {
      consent.answers.push(answer);
      await call('faulty__pid');
      await call('faulty__pid');
      assert.equal(consent.questions.length, index + 1, JSON.stringify(answer));
      await hosting.revoke(server);
      await server.trust();
    }
  });

  const faulty = definition('faulty');
  type Opened = Awaited<ReturnType<typeof open>>;
  const sets = (more: object) => (opened: Opened) => opened.sets({ faulty: { ...faulty, ...more } });
  for (const [change, reason, make] of [
    ['switched off', /user has switched it off/, sets({ enabled: false })],
    ['removed', /no hosted server for this agent/, (opened) => opened.sets({})],
    ['changed', /has changed \(command\), so it is stopped/, sets(definition('faulty', 'seed'))],
    ['for others', /for other agents/, sets({ agents: ['nobody'] })],
    ['not approved', /waits for the user's approval/, ({ hosting, server }) => hosting.revoke(server)],
    ['stopped', /user has stopped it/, ({ server }) => server.halt()],
    ['without the tool', /switched it off for the server/, sets({ tools: { deny: ['pid'] } })],
  ] satisfies [string, RegExp, (opened: Opened) => Promise<void>][])
    it(`ends the question, and makes no call, if the server is ${change} meanwhile`, async () => {
      const opened = await open();
      const { consent, server, call } = opened;
      let used = 0;
      server.withClient = async () => assert.fail(`used ${++used}`);
      const waiting = call('faulty__pid');
      await until(() => consent.open === 1, 'the question');
      await make(opened);
      assert.equal(consent.open, 0);
      consent.answerAnyway({ allow: 'once' });
      assert.match(JSON.stringify(await waiting), reason);
      assert.equal(used, 0);
    });

  it('says of a tool which was left out that the list is not complete, and tells that to those who search', async () => {
    const { server, ctx, call } = await open();
    const cut = { tools: { kept: 15, sent: 99, hasMore: true, why: 'at most\n15' } };
    Object.assign(server.catalogue ?? {}, { cut });
    const note = /faulty is not complete: 15 of more than 99, the rest is left out: at most\\\\u\{a\}15\./;
    assert.match(`${hostedToolSource.list(ctx).notes}`, /15 of more than 99/);
    const answer = JSON.stringify(await call('faulty__other'));
    assert.match(answer, note);
  });

  it('makes no call of a tool that is switched off while the server starts for it', async () => {
    const { consent, server, sets, call } = await open();
    await server.processes.stop();
    const { promise: goOn, resolve } = Promise.withResolvers<void>();
    const run = server.withClient.bind(server);
    server.withClient = (agent, request, options) =>
      run(agent, (client) => goOn.then(() => request(client)), options);
    consent.otherwise = () => ({ allow: 'once' });
    const waiting = call('faulty__echo');
    await sets({ faulty: { ...faulty, tools: { deny: ['echo'] } } });
    resolve();
    assert.match(JSON.stringify(await waiting), /switched it off for the server/);
  });

  it('does not go on with a call whose answer of the agent comes after the approval has gone', async () => {
    const { consent, hosting, server, call } = await open({ ...faulty, elicitation: 'agent' });
    const question = { method: 'elicitation/create', params: { message: 'Who?', requestedSchema: {} } };
    const capabilities = { elicitation: { form: {} } };
    let state: unknown;
    const ask = async (_: unknown, given: unknown) => {
      state = given;
      return {} as never;
    };
    consent.answers.push({ allow: 'once' });
    await call('faulty__askText', question, { capabilities, answers: {}, state: undefined, ask });
    assert.ok(state);
    await hosting.revoke(server);
    await server.trust();
    consent.answers.push({ deny: 'not again' });
    const answers = { question: {} };
    const result = await call('faulty__askText', question, { capabilities, answers, state, ask });
    assert.match(JSON.stringify(result), /not again/);
  });

  it('give links to files that the agent may read itself as they are, and others as those of the server', async () => {
    const { consent, server, uri, call } = await open(faulty, {
      'a b.txt': 'a',
      '.env': 'b',
      'own.txt': 'c',
    });
    consent.otherwise = () => ({ allow: 'once' });
    Object.assign(server.catalogue ?? {}, { resources: [{ uri: uri('own.txt'), name: 'own' }] });
    const link = (one: string) => ({ type: 'resource_link', uri: one, name: 'n' });
    const embedded = (one: string) => ({ type: 'resource', resource: { uri: one, text: 't' } });
    const inFolder = uri('a b.txt');
    const others = [
      uri('.env'),
      uri('own.txt'),
      uri('none.txt'),
      'file:///etc/passwd',
      'file://host/a',
      'note://1',
    ];
    const content = [link(inFolder), embedded(inFolder), ...others.map(link)];
    const { result } = fieldsOf(await call('faulty__raw', { result: { content } }));
    const hosted = others.map((one) => link(`hosted://faulty/${one}`));
    assert.deepEqual(result, { content: [link(inFolder), embedded(inFolder), ...hosted] });
  });

  it('asks with all that is sent to the server, also what the agent adds to the request', async () => {
    const { consent, ctx, approvals, grantee } = await open();
    consent.answers.push({ deny: '' });
    const meta = { progressToken: 1, 'io.modelcontextprotocol/x': 1, 'agent/id': 'two' };
    const asked = { name: 'faulty__echo', arguments: { a: 1 } };
    await callTool(hostedTool(asked.name, ctx), asked, { ctx, approvals, grantee }, { ...CALL, meta });
    assert.deepEqual(consent.questions[0]?.arguments, { a: 1, _meta: { 'agent/id': 'two' } });
  });

  it('calls no tool that only reads while the user denies all calls', async () => {
    const { fake, server, consent, call, grantee, sets } = await open();
    const [tool] = server.catalogue?.tools ?? [];
    Object.assign(tool ?? {}, { annotations: { readOnlyHint: true } });
    await server.trust();
    assert.doesNotMatch(JSON.stringify(await call('faulty__echo')), /isError/);
    grantee.denied.add(serverGrant({ key: server.grantKey, name: 'faulty' }));
    assert.match(JSON.stringify(await call('faulty__echo')), /denied every call of the server faulty/);
    fake.person.sets('workspaceMcp.approvals', { server: 'deny' });
    assert.match(JSON.stringify(await call('faulty__echo')), /switched \W*server\W* off for agents/);
    assert.equal(consent.questions.length, 0);
    grantee.denied.clear();
    fake.person.sets('workspaceMcp.approvals', undefined);
    fake.person.sets('workspaceMcp.access.allowedOperations', ['read']);
    assert.match(JSON.stringify(await call('faulty__echo')), /server\W* is switched off here/);
    fake.person.sets('workspaceMcp.access.allowedOperations', undefined);
    await sets({ faulty: { ...definition('faulty'), tools: { askReadOnly: true } } });
    consent.answers.push({ deny: '' });
    await call('faulty__echo');
    assert.equal(consent.questions.length, 1);
  });

  itWithLinks(
    'gives no access to closed files by a resource of a server, which may serve any file',
    async () => {
      const files = { 'a.txt': 'a', '.env': 'b', '.git/HEAD': 'c' };
      const { ctx, path, server, uri } = await open(definition('changing'), files);
      symlinkSync(path('.env'), path('link.txt'));
      const read = async (own: string) =>
        hostedResources
          .read(`hosted://faulty/${own}`, ctx, CALL)
          .then(JSON.stringify, (error) => error.message);
      const root = uri('.env').replace('.env', '');
      const closed = ['.env', '%2Eenv', 'x/../.env', '.env?a#b', '.git/HEAD', 'link.txt'].map(
        (one) => root + one,
      );
      const secret = 'file:///home/you/.ssh/id_rsa';
      for (const own of [...closed, `${root.replace('file:', 'FILE:')}.env`, secret])
        assert.match(await read(own), /closed to agents/, own);
      await assert.rejects(async () => hostedResources.canonical(`hosted://faulty/${closed[0]}`, ctx));
      for (const own of [uri('a.txt'), uri('none.txt'), 'note://n', 'file:///tmp/x', 'file://host/.env'])
        assert.match(await read(own), /First\./, own);
      assert.equal(server.state, 'running');
    },
  );

  it('says why a file is not read that a server names, but does not serve', async () => {
    const { ctx } = await open();
    const reading = hostedResources.read('hosted://faulty/file:///tmp/x.txt', ctx, CALL);
    await assert.rejects(
      async () => reading,
      /names this file, but does not serve it: .*x\.txt is outside the workspace folders/,
    );
  });

  it('have schemas that models take, and servers get the arguments by their own names', async () => {
    const { consent, server, call } = await open(definition('schemas'));
    consent.otherwise = () => ({ allow: 'once' });
    const schemas = toolsOf(server).map(({ listed }) => fieldsOf(listed?.inputSchema));
    assert.deepEqual([schemas.length, schemas.flatMap(refused)], [4, []]);
    const told = `${server.processes.lines}`;
    assert.match(told, /left out: tools: endless \(has too many alternatives of arguments\)/);
    const [good] = schemas;
    assert.equal(JSON.stringify(good), JSON.stringify(server.catalogue?.tools[0]?.inputSchema));
    const [filter] = Object.values(fieldsOf(schemas[3]?.properties));
    const [key = ''] = Object.keys(fieldsOf(fieldsOf(filter).properties));
    for (const [name, args, sent] of [
      ['pick', { x: 1 }, { x: 1 }],
      ['list', { top: 5, uids: [1] }, { $top: 5, 'uids[]': [1] }],
      ['long', { filter: { [key]: 2 } }, { filter: { ['k'.repeat(70)]: 2 } }],
    ] as const) {
      const shown = `faulty__${name}`;
      const { result } = fieldsOf(await call(shown, args));
      assert.deepEqual(result, { content: [{ type: 'text', text: JSON.stringify(sent) }] });
      assert.deepEqual(consent.questions.at(-1)?.arguments, sent);
    }
  });

  it('does not ask the user for a call while the server is still starting', async () => {
    const { consent, server, call } = await open();
    Object.defineProperty(server.processes, 'isStarting', { get: () => true });
    server.withClient = () => Promise.reject(new UserError('It is still starting.'));
    assert.match(JSON.stringify(await call('faulty__pid')), /It is still starting/);
    assert.equal(consent.questions.length, 0);
  });

  it('gives the name of a tool that is switched off to no other', async () => {
    const { consent, call } = await open({ ...definition('odd'), tools: { deny: ['a_b_c'] } });
    consent.otherwise = () => ({ allow: 'once' });
    assert.match(JSON.stringify(await call('faulty__a_b_c')), /switched it off for the server/);
  });
});
