// Connections: which systems get results.
export { deleteConnection } from './connections/delete-connection.ts';
export { listConnections } from './connections/list-connections.ts';
export { setConnection } from './connections/set-connection.ts';

// What Greenhouse and Ashby call.
export { cancelAssessment } from './ashby/cancel-assessment.ts';
export { listAssessments } from './ashby/list-assessments.ts';
export { startAssessment } from './ashby/start-assessment.ts';
export { listTests } from './greenhouse/list-tests.ts';
export { readTestStatus } from './greenhouse/read-test-status.ts';
export { reportResponseError } from './greenhouse/report-response-error.ts';
export { sendTest } from './greenhouse/send-test.ts';
export { addPartnerEndpoints, partnerPaths } from './endpoint.ts';
export { ashby_path, ashby_permission, greenhouse_path, greenhouse_permission } from './wire.ts';

// What the systems are informed of.
export { followInvitation } from './orders/follow-invitation.ts';
export { followOrders } from './orders/follow-orders.ts';
export { reportView } from './orders/report-view.ts';
export { defaultOrigins } from './rules.ts';
export { deleteOrganisationOrders } from './store.ts';
