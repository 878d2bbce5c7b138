import * as serviceKeys from '#modules/access/service-keys';
import type { OperationBody, OperationInput } from '#platform/operation.ts';
import type { Visit } from '../serving/page.ts';

/** An organisation, or the operator, has at most fifty keys, so one page has all. */
const keys_max = 50;

export type ServiceKey = OperationBody<typeof serviceKeys.listServiceKeys>['data'][number];
type NewServiceKey = OperationBody<typeof serviceKeys.createServiceKey>;
export type KeyRequests = OperationBody<typeof serviceKeys.listKeyRequests>['data'];
type NewKey = OperationInput<typeof serviceKeys.createServiceKey>;
type NewPublicKey = OperationInput<typeof serviceKeys.registerPublicKey>;
type Rotation = OperationInput<typeof serviceKeys.rotateServiceKey>;
type Replacement = OperationInput<typeof serviceKeys.replacePublicKey>;

/** Whose keys the pages show: where the pages are, who makes the keys, what they are for, and the operations behind them. */
export type KeyOwner = {
  readonly of: 'organisation' | 'operator';
  readonly address: '/app/keys' | '/app/operator/service-keys';
  readonly maker: serviceKeys.KeyMaker;
  /** The rows that a purpose needs, by the beginning of their names. */
  readonly purposes: Readonly<Record<string, readonly RegExp[]>>;
  readonly list: (visit: Visit) => Promise<readonly ServiceKey[]>;
  readonly listRequests: (visit: Visit, service_key_id: string) => Promise<KeyRequests>;
  readonly create: (visit: Visit, key: NewKey) => Promise<NewServiceKey>;
  readonly register: (visit: Visit, key: NewPublicKey) => Promise<ServiceKey>;
  readonly rotate: (visit: Visit, rotation: Rotation) => Promise<NewServiceKey>;
  readonly replace: (visit: Visit, replacement: Replacement) => Promise<ServiceKey>;
  readonly revoke: (visit: Visit, service_key_id: string) => Promise<null>;
};

export const organisationKeys: KeyOwner = {
  of: 'organisation',
  address: '/app/keys',
  maker: 'org_admin',
  purposes: {
    hiring: [
      /^(?:GET|POST|PATCH|DELETE) \/orgs\/me\/jobs/,
      /^(?:GET|POST|PUT) \/matches\//,
      /^GET \/orgs\/me(?:\/matches)?$/,
    ],
    reading: [/^GET /],
    directory: [/^SCIM /],
    partners: [/^PARTNER /],
    own: [],
  },
  list: async (visit) => (await visit.call(serviceKeys.listServiceKeys, { limit: keys_max })).data,
  listRequests: async (visit, service_key_id) =>
    (await visit.call(serviceKeys.listKeyRequests, { service_key_id })).data,
  create: (visit, key) => visit.call(serviceKeys.createServiceKey, key),
  register: (visit, key) => visit.call(serviceKeys.registerPublicKey, key),
  rotate: (visit, rotation) => visit.call(serviceKeys.rotateServiceKey, rotation),
  replace: (visit, replacement) => visit.call(serviceKeys.replacePublicKey, replacement),
  revoke: (visit, service_key_id) => visit.call(serviceKeys.revokeServiceKey, { service_key_id }),
};

export const operatorKeys: KeyOwner = {
  of: 'operator',
  address: '/app/operator/service-keys',
  maker: 'platform_admin',
  purposes: {
    monitoring: [
      /^GET \/operator\/(?:health|queue|queue\/failures|match-index|ledger|payments|top-ups|reviews)$/,
    ],
    reading: [/^GET /],
    own: [],
  },
  list: async (visit) => (await visit.call(serviceKeys.listOperatorKeys, { limit: keys_max })).data,
  listRequests: async (visit, service_key_id) =>
    (await visit.call(serviceKeys.listOperatorKeyRequests, { service_key_id })).data,
  create: (visit, key) => visit.call(serviceKeys.createOperatorKey, key),
  register: (visit, key) => visit.call(serviceKeys.registerOperatorPublicKey, key),
  rotate: (visit, rotation) => visit.call(serviceKeys.rotateOperatorKey, rotation),
  replace: (visit, replacement) => visit.call(serviceKeys.replaceOperatorPublicKey, replacement),
  revoke: (visit, service_key_id) => visit.call(serviceKeys.revokeOperatorKey, { service_key_id }),
};

/** Whether the visitor makes the keys of this owner; auditors only read about them. */
export function isMaker({ caller }: Pick<Visit, 'caller'>, { maker }: KeyOwner): boolean {
  return caller.role === maker;
}
