import type * as sso from '#modules/access/sso';
import type { OperationBody } from '#platform/operation.ts';

/** Single sign-on of an organisation, as it is set up. */
export type Configuration = OperationBody<typeof sso.readConfiguration>;

/** The same by OpenID Connect. */
export type OpenidConfiguration = OperationBody<typeof sso.readOpenid>;
