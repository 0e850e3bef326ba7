/** The code behind commands. Few windows need it, so its bundle is loaded with the first command, comment, or edit of an agent. */

export { openComments } from './comments/commentThreads.ts';
export { connectAgent, copyAgentConfiguration } from './connectAgent/connect.ts';
export { createEditorAgent } from './connectAgent/editorAgent.ts';
export { offerToConnect } from './connectAgent/offer.ts';
export { removeFromAgents } from './connectAgent/remove.ts';
export { serverDefinition } from './connectAgent/serverDefinition.ts';
export { answerDoctor, doctorReport } from './doctor.ts';
export { addServer } from './hosting/add/addServer.ts';
export { hostedQuestions } from './hosting/hostedQuestions.ts';
export { Servers } from './hosting/servers.ts';
export { HttpService } from './http/httpService.ts';
export { showAccess } from './menus/explainAccess.ts';
export { manageApprovals } from './menus/manageApprovals.ts';
export { showServerMenu } from './menus/serverMenu.ts';
export { newPromptFromSelection } from './prompts/newPrompt.ts';
export { previewPrompt } from './prompts/previewPrompt.ts';
export { AgentFollower } from './review/agentFollower.ts';
export { Review } from './review/review.ts';
export { sendTerminalSelectionToAgent, sendToAgent } from './send/sendToAgent.ts';
