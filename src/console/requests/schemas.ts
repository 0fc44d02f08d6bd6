import { requestOutcomes } from '../../../db/contract/apiRequests.ts'
import { PARTNER_ERRORS, type PartnerReason } from '../../base/errors.ts'
import { closed, Type } from '../../base/schema.ts'
import { partnerCalls } from '../../http/calls.ts'
import { requestIdLengthMax } from '../../http/limits.ts'
import { pageMax } from '../../reading/steps.ts'
import { moment, orNull, shape, textOrNull, wired, wiredQuery } from '../shapes.ts'

/** A call without a valid key is not kept. */
export const reasons = (Object.keys(PARTNER_ERRORS) as PartnerReason[]).filter(reason => reason !== 'UNAUTHORIZED')

/** Ids of ours are shorter. */
const id = Type.Optional(Type.String({ maxLength: requestIdLengthMax }))

export const requestsQuery = wiredQuery({
  outcome: Type.Optional(Type.Enum([...requestOutcomes])),
  keyId: id,
  call: Type.Optional(Type.Enum([...partnerCalls])),
  reason: Type.Optional(Type.Enum(reasons)),
  requestId: id,
  messageId: id,
  since: Type.Optional(moment),
  until: Type.Optional(Type.String({ format: 'date-time', description: 'Exclusive.' })),
  older: Type.Optional(Type.String({ pattern: '^\\d{1,15}\\.\\d{1,15}$', description: 'The page after this cursor.' })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: pageMax })),
})

const key = closed({ id: Type.String(), label: textOrNull })
const requestFields = {
  id: Type.String(),
  at: Type.String({ format: 'date-time', description: 'When it was answered.' }),
  key,
  call: Type.String({ description: 'Method and route.' }),
  status: Type.Integer({ description: 'Of HTTP.' }),
  reason: orNull(Type.String(), { description: 'Why it was refused; null when it was answered.' }),
  about: orNull(Type.String(), { description: 'Where the first problem was, or what the code of the channel means.' }),
  durationMs: Type.Number(),
  requestId: Type.String(),
  messageId: orNull(Type.String(), { description: 'The message that it made, or asked for.' }),
}

export const listAnswer = wired('KeptRequestList', {
  requests: Type.Array(shape('KeptRequest', requestFields), { description: 'Newest first.' }),
  older: textOrNull,
})

const names = Type.Array(Type.String())
export const requestChoicesAnswer = wired('RequestFilterChoices', {
  keys: Type.Array(key),
  calls: names,
  reasons: names,
})

export const requestAnswer = wired('KeptRequestDetails', {
  ...requestFields,
  hasMessage: Type.Boolean({ description: 'Whether the message is still there.' }),
  refusal: orNull(
    closed({
      message: Type.String({ description: 'As it was answered.' }),
      meaning: Type.String({ description: 'What the reason, or the code of the channel, means.' }),
      remedy: orNull(Type.String(), { description: 'For a code of the channel.' }),
      heading: Type.String({ description: 'Of the guide to errors.' }),
      code: orNull(Type.Integer(), { description: 'Of the channel.' }),
      issues: Type.Array(closed({ path: Type.String(), message: Type.String() })),
      issuesLeftOut: Type.Integer({ description: 'Problems that were answered too, and are not kept.' }),
    }),
  ),
})
