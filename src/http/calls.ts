import type { Refusal } from '../base/errors.ts'
import type { KeyScope } from '../base/keyScopes.ts'
import type { Config } from '../config/config.ts'
import { type DropInCall, dropInOperations } from './dropInCalls.ts'

/** The beginning of every path of the partner API (docs/partner-api.md). */
export const partnerPrefix = '/api/v1/public'

/** One call of the partner API: method and route, below `partnerPrefix`, and what a key needs for it. */
interface Call {
  readonly call: string
  readonly scope: KeyScope
  /**
   * Absent: the call begins with a turn (src/reading/callReads.ts), because it may cost the more, the more its
   * workspace has. `none`: it is a send, or about what an id names alone; of the latter, what is asked for all too
   * often takes one too (src/reading/passes.ts).
   */
  readonly turn?: 'none'
}

/** Each endpoint, by its `operationId`. A test compares them with the API document. */
export const partnerOperations = {
  sendMessage: { call: 'POST /messages/send', scope: 'messages:send', turn: 'none' },
  checkMessage: { call: 'POST /messages/check', scope: 'messages:send' },
  getMessage: { call: 'GET /messages/:messageId', scope: 'messages:read', turn: 'none' },
  rescheduleMessage: { call: 'PATCH /messages/:messageId', scope: 'messages:send', turn: 'none' },
  cancelMessage: { call: 'DELETE /messages/:messageId', scope: 'messages:send', turn: 'none' },
  listMessages: { call: 'GET /messages', scope: 'messages:read' },
  listLines: { call: 'GET /lines', scope: 'messages:send' },
  listEvents: { call: 'GET /events', scope: 'events:read' },
  listTemplates: { call: 'GET /templates', scope: 'templates:read' },
  listInbound: { call: 'GET /inbound', scope: 'inbound' },
  getInbound: { call: 'GET /inbound/:inboundId', scope: 'inbound', turn: 'none' },
  readInbound: { call: 'POST /inbound/:inboundId/read', scope: 'inbound', turn: 'none' },
  uploadMedia: { call: 'POST /media', scope: 'media', turn: 'none' },
  getMedia: { call: 'GET /media/:mediaId', scope: 'media', turn: 'none' },
  findContact: { call: 'GET /contacts', scope: 'contacts:read' },
  createBatch: { call: 'POST /batches', scope: 'messages:send' },
  listBatches: { call: 'GET /batches', scope: 'messages:read' },
  getBatch: { call: 'GET /batches/:batchId', scope: 'messages:read' },
  listBatchItems: { call: 'GET /batches/:batchId/items', scope: 'messages:read' },
  addBatchItems: { call: 'POST /batches/:batchId/items', scope: 'messages:send' },
  leaveOutBatchItem: { call: 'DELETE /batches/:batchId/items/:number', scope: 'messages:send' },
  startBatch: { call: 'POST /batches/:batchId/start', scope: 'messages:send' },
  pauseBatch: { call: 'POST /batches/:batchId/pause', scope: 'messages:send' },
  resumeBatch: { call: 'POST /batches/:batchId/resume', scope: 'messages:send' },
  cancelBatch: { call: 'POST /batches/:batchId/cancel', scope: 'messages:send' },
  retryBatch: { call: 'POST /batches/:batchId/retry', scope: 'messages:send' },
  listWebhooks: { call: 'GET /webhooks', scope: 'webhooks' },
  addWebhook: { call: 'POST /webhooks', scope: 'webhooks' },
  getWebhook: { call: 'GET /webhooks/:webhookId', scope: 'webhooks' },
  changeWebhook: { call: 'PUT /webhooks/:webhookId', scope: 'webhooks' },
  removeWebhook: { call: 'DELETE /webhooks/:webhookId', scope: 'webhooks' },
  rotateWebhook: { call: 'POST /webhooks/:webhookId/rotate', scope: 'webhooks' },
  testWebhook: { call: 'POST /webhooks/:webhookId/test', scope: 'webhooks' },
  listDeliveries: { call: 'GET /webhooks/:webhookId/deliveries', scope: 'webhooks' },
  replayEvents: { call: 'POST /webhooks/:webhookId/replay', scope: 'webhooks' },
  getContact: { call: 'GET /contacts/:contactId', scope: 'contacts:read' },
  addContact: { call: 'POST /contacts', scope: 'contacts:write' },
  setBlocked: { call: 'PUT /contacts/:contactId/blocked', scope: 'contacts:write' },
  setPreference: { call: 'PUT /contacts/:contactId/preferences', scope: 'contacts:write' },
} as const satisfies Record<string, Call>

export type OperationId = keyof typeof partnerOperations

/** Of a path that no endpoint has. The path itself is the caller's, and is kept nowhere. */
export const unknownCall = 'no such route'

/** @returns what is wrong with a call that no endpoint has: its method, or its path */
export function noSuchCall(method: string, path: string): Refusal {
  const places = path.split('/')
  const isHere = (route: string) => {
    const parts = route.split('/')
    return (
      parts.length === places.length &&
      parts.every((part, at) => (part.startsWith(':') ? places[at] !== '' : part === places[at]))
    )
  }
  const calls = Object.values(partnerOperations).map(({ call }) => call.split(' '))
  const methods = calls.flatMap(([known = '', route = '']) => (isHere(route) ? [known] : []))
  const wrong = methods.length === 0 ? 'the path is not known' : `this path has ${methods.join(', ')}, and no ${method}`
  return { reason: 'NOT_FOUND', message: `No such route: ${wrong}. /docs lists all.` }
}

export type PartnerCall = (typeof partnerOperations)[OperationId]['call'] | DropInCall | typeof unknownCall

const withoutTurn: ReadonlySet<PartnerCall> = new Set<PartnerCall>([
  unknownCall,
  ...[...Object.values(partnerOperations), ...Object.values(dropInOperations)].flatMap(operation =>
    'turn' in operation ? [operation.call] : [],
  ),
])

/** @returns whether a call begins with a turn */
export const takesTurn = (call: PartnerCall): boolean => !withoutTurn.has(call)

/** @returns whether a call is a send, which nothing else may keep waiting */
export const isSend = (call: PartnerCall): boolean =>
  call === partnerOperations.sendMessage.call || call === dropInOperations.send.call

/** The calls that this gateway answers, those of unknown paths last. */
export const callsOf = ({ hasGraphApi }: Pick<Config, 'hasGraphApi'>): PartnerCall[] => [
  ...Object.values(partnerOperations).map(({ call }) => call),
  ...(hasGraphApi ? Object.values(dropInOperations).map(({ call }) => call) : []),
  unknownCall,
]

export const partnerCalls: readonly PartnerCall[] = callsOf({ hasGraphApi: true })

const scopes: ReadonlyMap<string, readonly KeyScope[]> = new Map<string, readonly KeyScope[]>([
  ...Object.values(partnerOperations).map(({ call, scope }) => [call, [scope]] as const),
  ...Object.values(dropInOperations).map(({ call, scope }) => [call, ['graph', scope]] as const),
])

/** @returns what a key needs for a call: nothing for one that no endpoint has */
export const scopesOf = (call: PartnerCall): readonly KeyScope[] => scopes.get(call) ?? []
