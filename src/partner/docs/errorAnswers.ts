import { envelopeOf, httpStatusOf, PARTNER_ERRORS, type PartnerReason, type Refusal } from '../../base/errors.ts'
import type { OperationId } from '../../http/calls.ts'
import { examples } from './errorExamples.ts'
import { errorSchema } from './errorSchema.ts'

/** Of every operation: the guard of all of them, and a fault of ours. */
const ofAll = ['UNAUTHORIZED', 'FORBIDDEN', 'RATE_LIMIT_EXCEEDED', 'INTERNAL_ERROR'] as const
/** Of those that read a body. */
const ofBodies = ['PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'] as const

/** Which codes each operation can refuse with. The statuses and the meaning come from `PARTNER_ERRORS`. */
export const operationErrors: Record<OperationId, readonly PartnerReason[]> = {
  sendMessage: [
    'VALIDATION_ERROR',
    'PHONE_NUMBER_REQUIRED',
    'PHONE_NUMBER_NOT_FOUND',
    'PHONE_NUMBER_INACTIVE',
    'NO_PHONE_NUMBER',
    'TEMPLATE_NOT_APPROVED',
    'CHANNEL_GRAPH_ERROR',
    'PLAN_LIMIT_EXCEEDED',
    'NOT_FOUND',
    'IDEMPOTENCY_CONFLICT',
    'WINDOW_CLOSED',
    'DIRECT_SEND_OFF',
    'OPTED_OUT',
    'SERVICE_UNAVAILABLE',
    ...ofBodies,
    ...ofAll,
  ],
  checkMessage: ['VALIDATION_ERROR', ...ofBodies, ...ofAll],
  getMessage: ['VALIDATION_ERROR', 'NOT_FOUND', ...ofAll],
  rescheduleMessage: ['VALIDATION_ERROR', 'NOT_FOUND', 'CONFLICT', ...ofBodies, ...ofAll],
  cancelMessage: ['NOT_FOUND', 'CONFLICT', ...ofAll],
  listLines: [...ofAll],
  listMessages: ['VALIDATION_ERROR', 'NOT_FOUND', ...ofAll],
  listEvents: ['VALIDATION_ERROR', ...ofAll],
  listInbound: ['VALIDATION_ERROR', 'PHONE_NUMBER_NOT_FOUND', 'NOT_FOUND', ...ofAll],
  getInbound: ['VALIDATION_ERROR', 'NOT_FOUND', ...ofAll],
  readInbound: [
    'VALIDATION_ERROR',
    'PHONE_NUMBER_NOT_FOUND',
    'PHONE_NUMBER_INACTIVE',
    'CHANNEL_GRAPH_ERROR',
    'NOT_FOUND',
    'SERVICE_UNAVAILABLE',
    ...ofBodies,
    ...ofAll,
  ],
  uploadMedia: ['VALIDATION_ERROR', 'SERVICE_UNAVAILABLE', ...ofBodies, ...ofAll],
  getMedia: ['NOT_FOUND', 'RANGE_NOT_SATISFIABLE', 'SERVICE_UNAVAILABLE', ...ofAll],
  getContact: ['NOT_FOUND', ...ofAll],
  findContact: ['VALIDATION_ERROR', 'NOT_FOUND', ...ofAll],
  createBatch: ['VALIDATION_ERROR', 'IDEMPOTENCY_CONFLICT', 'CONFLICT', 'SERVICE_UNAVAILABLE', ...ofBodies, ...ofAll],
  listBatches: ['VALIDATION_ERROR', ...ofAll],
  getBatch: ['NOT_FOUND', ...ofAll],
  listBatchItems: ['VALIDATION_ERROR', 'NOT_FOUND', ...ofAll],
  addBatchItems: ['VALIDATION_ERROR', 'NOT_FOUND', 'CONFLICT', 'SERVICE_UNAVAILABLE', ...ofBodies, ...ofAll],
  leaveOutBatchItem: ['NOT_FOUND', 'CONFLICT', ...ofAll],
  startBatch: ['VALIDATION_ERROR', 'NOT_FOUND', 'CONFLICT', ...ofBodies, ...ofAll],
  pauseBatch: ['NOT_FOUND', 'CONFLICT', ...ofAll],
  resumeBatch: ['NOT_FOUND', 'CONFLICT', ...ofAll],
  cancelBatch: ['NOT_FOUND', 'CONFLICT', ...ofAll],
  retryBatch: ['VALIDATION_ERROR', 'NOT_FOUND', 'CONFLICT', ...ofBodies, ...ofAll],
  addContact: ['VALIDATION_ERROR', ...ofBodies, ...ofAll],
  setBlocked: [
    'VALIDATION_ERROR',
    'NOT_FOUND',
    'CONFLICT',
    'CHANNEL_GRAPH_ERROR',
    'SERVICE_UNAVAILABLE',
    ...ofBodies,
    ...ofAll,
  ],
  setPreference: ['VALIDATION_ERROR', 'NOT_FOUND', ...ofBodies, ...ofAll],
  listWebhooks: [...ofAll],
  addWebhook: ['VALIDATION_ERROR', 'CONFLICT', ...ofBodies, ...ofAll],
  getWebhook: ['NOT_FOUND', ...ofAll],
  changeWebhook: ['VALIDATION_ERROR', 'NOT_FOUND', 'CONFLICT', ...ofBodies, ...ofAll],
  removeWebhook: ['NOT_FOUND', ...ofAll],
  rotateWebhook: ['VALIDATION_ERROR', 'NOT_FOUND', 'CONFLICT', ...ofBodies, ...ofAll],
  testWebhook: ['VALIDATION_ERROR', 'NOT_FOUND', 'CONFLICT', ...ofBodies, ...ofAll],
  listDeliveries: ['VALIDATION_ERROR', 'NOT_FOUND', ...ofAll],
  replayEvents: ['VALIDATION_ERROR', 'NOT_FOUND', 'CONFLICT', ...ofBodies, ...ofAll],
  listTemplates: ['VALIDATION_ERROR', ...ofAll],
}

/** Answered with `Retry-After`. */
const withRetryAfter: readonly PartnerReason[] = ['RATE_LIMIT_EXCEEDED', 'SERVICE_UNAVAILABLE']

export interface ErrorAnswer {
  readonly status: number
  /**
   * The name of the component: the code, when no other code has the status in any operation; else operation and status.
   */
  readonly name: string
  readonly headers: readonly string[]
  readonly response: { readonly description: string; readonly content: object }
}

/** @returns the refusals of an operation, one answer for each status with all the codes that share it. */
export function errorAnswers(operation: OperationId): ErrorAnswer[] {
  const reasons = operationErrors[operation]
  const statuses = [...new Set(reasons.flatMap(reason => PARTNER_ERRORS[reason].status))].sort((a, b) => a - b)
  return statuses.map(status => {
    const sharing = reasons.filter(reason => statusesOf(reason).includes(status))
    const examples = Object.assign({}, ...sharing.map(reason => errorExamples(reason, status, operation)))
    return {
      status,
      name: nameOf(operation, status, sharing),
      headers: ['Link', ...(sharing.some(reason => withRetryAfter.includes(reason)) ? ['Retry-After'] : [])],
      response: {
        description: sharing.map(reason => `\`${reason}\`: ${PARTNER_ERRORS[reason].meaning}`).join('\n\n'),
        content: { 'application/json': { schema: errorSchema, examples } },
      },
    }
  })
}

const statusesOf = (reason: PartnerReason): readonly number[] => PARTNER_ERRORS[reason].status

function nameOf(operation: OperationId, status: number, [first, ...others]: readonly PartnerReason[]): string {
  const isShared = first !== undefined && others.length === 0 && !isOperationSpecific(first)
  return isShared ? first : `${operation}_${status}`
}

/** @returns whether the examples of the code differ between operations. */
const isOperationSpecific = (reason: PartnerReason) =>
  Object.values(examples[reason]).some(({ operation }) => operation !== undefined)

/** @returns the named examples of a code at a status, for one operation, as they would be answered. */
export function errorExamples(reason: PartnerReason, status: number, operation: OperationId) {
  const named = Object.entries(examples[reason]).flatMap(([name, example]) => {
    if (example.operation !== undefined && ![example.operation].flat().includes(operation)) return []
    const { summary, operation: _, ...rest } = example
    const refusal: Refusal = { reason, ...rest }
    return httpStatusOf(refusal) === status ? [[name, { summary, value: envelopeOf(refusal) }] as const] : []
  })
  return Object.fromEntries(named)
}
