import { Type, wire } from '../../base/schema.ts'
import { keyGraceMsMax, newKeyFields } from '../../operations/apiKeys.ts'
import { graceFields } from '../../operations/fields.ts'
import { onOptOutField } from '../../operations/optOuts.ts'
import { moment, momentOrNull, orNull, shape, textOrNull, wired } from '../shapes.ts'

const limits = {
  expiresAt: orNull(moment, { description: 'When it stops by itself; null: never.' }),
  allowedNetworks: orNull(newKeyFields.allowedNetworks, {
    description: 'Addresses and CIDR networks that requests are accepted from; null: any.',
  }),
}

const onOptOut = orNull(onOptOutField, { description: 'Marketing to who wants none; null: as the workspace has it.' })

const lineIds = orNull(newKeyFields.lineIds, {
  description: 'The lines that it sends from, and of which it sees what belongs to them; null: all of the workspace.',
})

const scopes = orNull(newKeyFields.scopes, {
  description: 'What it may do; null: everything but `contacts:write`, `webhooks`, `templates:write` and `graph`.',
})

const keyFields = {
  apiKey: Type.String(),
  label: textOrNull,
  workspaceId: Type.String(),
  scope: Type.String({ description: 'Keys of one scope share their idempotency keys: a key and its successors.' }),
  scopes,
  lineIds,
  onOptOut,
  ...limits,
  createdAt: moment,
  lastUsedAt: momentOrNull,
  revokedAt: momentOrNull,
}
const keySchema = shape('ApiKey', keyFields)
const listedKeySchema = shape('ListedApiKey', {
  ...keyFields,
  name: orNull(Type.String({ description: 'The label; of a key that was rotated, also when. Null: it has no label.' })),
})
const keySecretSchema = shape('ApiKeyWithSecret', {
  ...keyFields,
  apiSecret: Type.String(),
  graphToken: Type.Optional(Type.String({ description: 'Of a key with the scope `graph`.' })),
})
export const keyAnswer = wire(keySchema)
export const keySecretAnswer = wire(keySecretSchema)
export const keysAnswer = wired('ApiKeyList', { apiKeys: Type.Array(listedKeySchema) })
export const rotatedAnswer = wired('RotatedApiKey', { key: keySecretSchema, former: keySchema })

export const limitsBody = wired('ApiKeyLimits', { ...limits, onOptOut: Type.Optional(onOptOut) })
export const newKeyBody = wired('NewApiKey', {
  label: Type.Optional(newKeyFields.label),
  scopes: Type.Optional(scopes),
  lineIds: Type.Optional(lineIds),
  onOptOut: Type.Optional(onOptOut),
  expiresAt: Type.Optional(limits.expiresAt),
  allowedNetworks: Type.Optional(limits.allowedNetworks),
})
export const rotationBody = wired('ApiKeyRotation', graceFields(keyGraceMsMax))
