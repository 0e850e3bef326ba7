/**
 * Other MCP servers behind ours, as the rest of the window uses them. `Hosting` has the servers of the window, for the user;
 * `AgentServers` those of one agent, which finds, uses and follows them. All other folders are the room's own.
 *
 * A call goes from `servers/hosted.ts` through `serverProcess.ts` and `connection/client.ts`, which speaks MCP, to `connection/stdio.ts`,
 * or to `remote/`. A server that does not run yet is started first: by `serverProcesses.ts` and `launcher.ts`.
 */
export type { FormAnswer, UrlAnswer } from './answers/elicitation.ts';
export type { FormField } from './answers/form.ts';
export { type FormEntry, firstEntry, readEntry } from './answers/formEntries.ts';
export type { SamplingRequest } from './answers/sampling.ts';
export type { ServerInput } from './config/definition.ts';
export { everyFolder, folderParts } from './config/place.ts';
export { fieldName } from './config/problems.ts';
export type { LaunchDetails } from './config/resolve/resolveLaunch.ts';
export type { FoundServer, ServerSource, UsableServer } from './config/sources.ts';
export type { ShownLaunch } from './config/trust.ts';
export { holds, type Verdict } from './config/trust.ts';
export type { Caller } from './connection/client.ts';
export { InputRequired } from './connection/inputRounds.ts';
export { hostedNames, hostedStarts, hostedUri, namesInList, originalUri } from './names.ts';
export { type ListedSchema, listedSchema } from './schemas/listedSchema.ts';
export { AgentServers } from './servers/agentServers.ts';
export { cutListText } from './servers/catalogue.ts';
export type { Hosted, HostedState } from './servers/hosted.ts';
export { Hosting, type HostingOptions } from './servers/hosting.ts';
export type { HostedTool } from './servers/offer.ts';
export type { AskAgent, AskingServer, Callers, Questions } from './servers/questions.ts';
export type { ListName } from './servers/readList.ts';
export type { ServerMessage } from './servers/serverProcess.ts';
