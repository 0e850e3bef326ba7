/** What commands open, in a bundle that is loaded with the first of them: hardly a window ever needs it. */
export { explainAccess } from './access/explain.ts';
export { listAgents } from './agentList.ts';
export { manageApprovals } from './approvals/manage.ts';
export { copyAgentConfiguration, insertAgentConfiguration } from './connectAgent/pick.ts';
export { examine } from './doctor.ts';
export { showServerMenu } from './serverMenu.ts';
