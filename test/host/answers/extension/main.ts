/** Hosts one server, and lets the test say what the server asks: a POST of `{method, params}` returns the answer it got. */
import { rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import * as vscode from 'vscode';
import { capabilities } from '../../../../src/hosting/answers/capabilities.ts';
import { elicitationAnswer } from '../../../../src/hosting/answers/elicitation.ts';
import { rootsAnswer } from '../../../../src/hosting/answers/roots.ts';
import { SamplingGrants } from '../../../../src/hosting/answers/sampling/samplingGrants.ts';
import { samplingAnswer } from '../../../../src/hosting/answers/sampling.ts';
import { connectStdio } from '../../../../src/hosting/connection/connectStdio.ts';
import { HostedQuestions } from '../../../../src/ui/hosting/questions/hostedQuestions.ts';
import { registerFakeModel } from './fakeModel.ts';

const NAME = 'Example Server';

const { ANSWERS_SOCKET: socket = '', ANSWERS_NODE: node = '', ANSWERS_SERVER: server = '' } = process.env;

export async function activate({ subscriptions }: vscode.ExtensionContext): Promise<void> {
  let kept: readonly string[] = [];
  const store = {
    get: () => kept,
    set: async (keys: readonly string[]) => {
      kept = keys;
    },
  };
  const questions = new HostedQuestions(new SamplingGrants(store));
  subscriptions.push(registerFakeModel(), questions);
  const { client } = await connectStdio(
    { command: node, args: [server], cwd: __dirname, env: { ...process.env, NODE_NO_WARNINGS: '1' } },
    {
      clientInfo: { name: 'test', version: '1' },
      knownEra: 'legacy',
      capabilities,
      answers: {
        'roots/list': rootsAnswer(vscode.workspace),
        'sampling/createMessage': samplingAnswer(vscode, {
          server: NAME,
          approve: questions.samplingApproval(NAME, 'key'),
        }),
        'elicitation/create': elicitationAnswer(questions.elicitor(NAME)),
      },
    },
  );
  const http = createServer(async (request, response) => {
    const asked = (await json(request)) as object;
    const result = await client.request('tools/call', { name: 'ask', ...asked });
    response.end(JSON.stringify(result));
  });
  http.listen(socket);
  subscriptions.push(new vscode.Disposable(() => rmSync(socket, { force: true })));
  stop = () => client.close();
}

let stop = async (): Promise<void> => {};

export const deactivate = (): Promise<void> => stop();
