/** What commands open, in a bundle that is loaded with the first of them: hardly a window ever needs it. */
export { explainAccess } from './access/explain.ts';
export { copyAgentConfiguration, insertAgentConfiguration } from './connectAgent/pick.ts';
export { examine } from './doctor/doctor.ts';
export { manageApprovals } from './menus/manageApprovals.ts';
export { showServerMenu } from './menus/serverMenu.ts';
