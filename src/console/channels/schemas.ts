import type { CallbackReceipt, Channel, Line } from '../../../db/contract/records.ts'
import type { UpstreamUpdate } from '../../../db/contract/updates.ts'
import { Type } from '../../base/schema.ts'
import { callbackState } from '../../operations/channels/check.ts'
import { lineFields } from '../../operations/channels/lines.ts'
import { callbackPath } from '../../operations/channels/subscribe.ts'
import { upstreamIdField } from '../../operations/fields.ts'
import { iso, isoOrNull, moment, momentOrNull, orNull, picked, shape, textOrNull } from '../shapes.ts'

const updateSchema = shape('UpstreamUpdate', {
  kind: Type.String({ description: 'The kind of update, in the word of the upstream platform.' }),
  at: moment,
  detail: Type.Record(Type.String(), Type.Unknown()),
})

export const callbacksSchema = shape('ChannelCallbacks', {
  state: Type.Enum(['none', 'accepted', 'refused'], { type: 'string', description: 'The result of the last one.' }),
  acceptedAt: momentOrNull,
  refusedAt: momentOrNull,
  refusal: orNull(Type.Enum(['unsigned', 'wrongSignature'], { type: 'string' })),
})

export const channelSchema = shape('Channel', {
  id: Type.String(),
  accountId: upstreamIdField,
  appId: textOrNull,
  callbackUrl: orNull(Type.String(), {
    description: 'Where the upstream platform sends callbacks; null while PUBLIC_URL is not set.',
  }),
  callbacks: callbacksSchema,
  updates: Type.Array(updateSchema, { description: 'Updates of the upstream platform about the account.' }),
  createdAt: moment,
  secretsChangedAt: moment,
})

export const lineSchema = shape('Line', {
  id: Type.String({ description: 'For `phoneNumberId` of a send (`line_…`).' }),
  number: Type.String(),
  name: lineFields.name,
  label: lineFields.label,
  quality: lineFields.quality,
  messagingLimit: lineFields.messagingLimit,
  channelId: Type.String(),
  upstreamPhoneId: Type.String(),
  active: Type.Boolean(),
  isDefault: Type.Boolean({ description: 'Whether sends that name no line use it.' }),
  perSecond: lineFields.perSecond,
  pairSeconds: lineFields.pairSeconds,
  directSend: lineFields.directSend,
  createdAt: moment,
})

export const numberSchema = shape('AccountNumber', {
  upstreamPhoneId: Type.String(),
  number: textOrNull,
  name: textOrNull,
  quality: lineFields.quality,
  status: textOrNull,
  messagingLimit: lineFields.messagingLimit,
  lineId: textOrNull,
  added: Type.Boolean({ description: 'Whether its line was added just now.' }),
})

const updateView = ({ kind, at, detail }: UpstreamUpdate) => ({ kind, at: iso(at), detail: { ...detail } })

/** A channel without its secrets. */
export function channelView(
  channel: Channel,
  told: {
    publicUrl: string | null
    receipt: CallbackReceipt | undefined
    updates: readonly UpstreamUpdate[]
  },
) {
  const { id, accountId, appId, createdAt, updatedAt } = channel
  return {
    id,
    accountId,
    appId,
    callbackUrl: told.publicUrl === null ? null : told.publicUrl + callbackPath(id),
    callbacks: callbacksView(told.receipt),
    updates: told.updates.map(updateView),
    createdAt: iso(createdAt),
    secretsChangedAt: iso(updatedAt),
  }
}

/** The result of the last callback. */
export function callbacksView(receipt: CallbackReceipt | undefined) {
  const callbacks = callbackState(receipt)
  const isRefused = callbacks.state === 'refused'
  return {
    state: callbacks.state,
    acceptedAt: isoOrNull(callbacks.state === 'none' ? null : callbacks.acceptedAt),
    refusedAt: isoOrNull(isRefused ? callbacks.refusedAt : null),
    refusal: isRefused ? callbacks.refusal : null,
  }
}

export const lineView = (line: Line) => picked(lineSchema, { ...line, createdAt: iso(line.createdAt) })
