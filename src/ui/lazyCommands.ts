/** The code behind commands. Few windows need it, so its bundle is loaded with the first command, or the first edit of an agent. */
export { explainAccess } from './access/explain.ts';
export { connectAgent } from './connectAgent/connect.ts';
export { copyAgentConfiguration } from './connectAgent/copy.ts';
export { createEditorAgent } from './connectAgent/createEditorAgent.ts';
export { offerToConnect } from './connectAgent/offer.ts';
export { removeFromAgents } from './connectAgent/remove.ts';
export { examine } from './doctor/doctor.ts';
export { addServer } from './hosting/add/addServer.ts';
export { HostedQuestions } from './hosting/questions/hostedQuestions.ts';
export { Servers } from './hosting/servers.ts';
export { HttpService } from './http/httpService.ts';
export { manageApprovals } from './menus/manageApprovals.ts';
export { showServerMenu } from './menus/serverMenu.ts';
export { newPromptFromSelection } from './prompts/newPrompt.ts';
export { previewPrompt } from './prompts/previewPrompt.ts';
export { Following } from './review/following.ts';
export { Review } from './review/review.ts';
