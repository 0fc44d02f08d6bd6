import type { ApiKey } from '../../../db/accounts.ts'
import { keyNetworksMax, keyView } from '../../administration/apiKeys.ts'
import { Type, wire } from '../../schema.ts'
import { graceBody, moment, momentOrNull, orNull, shape, textOrNull, wired } from '../shapes.ts'

const labelLengthMax = 120
/** The longest notation of a network, and then some. */
const networkLengthMax = 64
/** A month: a deployment that takes longer is forgotten. */
const graceHoursMax = 24 * 31

const network = Type.String({ maxLength: networkLengthMax })
const limits = {
  expiresAt: orNull(moment, { description: 'When it stops by itself; null: never.' }),
  allowedNetworks: orNull(Type.Array(network, { minItems: 1, maxItems: keyNetworksMax }), {
    description: 'Addresses and CIDR networks that requests are accepted from; null: any.',
  }),
}

const keyFields = {
  apiKey: Type.String(),
  label: textOrNull,
  workspaceId: Type.String(),
  scope: Type.String({ description: 'Keys of one scope share their idempotency keys: a key and its successors.' }),
  ...limits,
  createdAt: moment,
  lastUsedAt: momentOrNull,
  revokedAt: momentOrNull,
}
const keySchema = shape('ApiKey', keyFields)
const keySecretSchema = shape('ApiKeyWithSecret', { ...keyFields, apiSecret: Type.String() })
export const keyAnswer = wire(keySchema)
export const keySecretAnswer = wire(keySecretSchema)
export const keysAnswer = wired('ApiKeyList', { apiKeys: Type.Array(keySchema) })
export const rotatedAnswer = wired('RotatedApiKey', { key: keySecretSchema, former: keySchema })

export const limitsBody = wired('ApiKeyLimits', limits)
export const newKeyBody = wired('NewApiKey', {
  label: Type.Optional(Type.String({ minLength: 1, maxLength: labelLengthMax, description: 'Who or what uses it.' })),
  expiresAt: Type.Optional(limits.expiresAt),
  allowedNetworks: Type.Optional(limits.allowedNetworks),
})
export const rotationBody = graceBody('ApiKeyRotation', graceHoursMax)

/** A key without its secret. */
export const view = (key: ApiKey) => {
  const { allowedNetworks, ...rest } = keyView(key)
  return { ...rest, allowedNetworks: allowedNetworks && [...allowedNetworks] }
}
