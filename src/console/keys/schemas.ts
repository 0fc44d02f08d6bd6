import type { ApiKey } from '../../../db/accounts.ts'
import { keyNetworksMax, keyView } from '../../apiKeys.ts'
import { Type, wire } from '../../schema.ts'

const labelLengthMax = 120
/** The longest notation of a network, and then some. */
const networkLengthMax = 64
/** A month: a deployment that takes longer is forgotten. */
const graceHoursMax = 24 * 31

const moment = Type.String({ format: 'date-time' })
const momentOrNull = Type.Union([moment, Type.Null()])
const network = Type.String({ maxLength: networkLengthMax })
const networksField = Type.Union([Type.Array(network, { minItems: 1, maxItems: keyNetworksMax }), Type.Null()], {
  description: 'Addresses and CIDR networks that requests are accepted from; null: any.',
})
const expiresField = Type.Union([moment, Type.Null()], { description: 'When it stops by itself; null: never.' })

const keyFields = {
  apiKey: Type.String(),
  label: Type.Union([Type.String(), Type.Null()]),
  workspaceId: Type.String(),
  scope: Type.String({ description: 'Keys of one scope share their idempotency keys: a key and its successors.' }),
  allowedNetworks: networksField,
  createdAt: moment,
  expiresAt: momentOrNull,
  lastUsedAt: momentOrNull,
  revokedAt: momentOrNull,
}
const keySchema = Type.Object(keyFields, { additionalProperties: false, title: 'ApiKey' })
const keySecretSchema = Type.Object(
  { ...keyFields, apiSecret: Type.String({ description: 'Shown this once: only its hash is stored.' }) },
  { additionalProperties: false, title: 'ApiKeyWithSecret' },
)
export const keyAnswer = wire(keySchema)
export const keySecretAnswer = wire(keySecretSchema)
export const keysAnswer = wire(
  Type.Object({ apiKeys: Type.Array(keySchema) }, { additionalProperties: false, title: 'ApiKeyList' }),
)
export const rotatedAnswer = wire(
  Type.Object({ key: keySecretSchema, former: keySchema }, { additionalProperties: false, title: 'RotatedApiKey' }),
)

export const newKeyBody = wire(
  Type.Object(
    {
      label: Type.Optional(
        Type.String({ minLength: 1, maxLength: labelLengthMax, description: 'Who or what uses it.' }),
      ),
      expiresAt: Type.Optional(expiresField),
      allowedNetworks: Type.Optional(networksField),
    },
    { additionalProperties: false, title: 'NewApiKey' },
  ),
)
export const limitsBody = wire(
  Type.Object(
    { expiresAt: expiresField, allowedNetworks: networksField },
    { additionalProperties: false, title: 'ApiKeyLimits' },
  ),
)
export const rotationBody = wire(
  Type.Object(
    {
      graceHours: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: graceHoursMax,
          description: 'How long the old key still works; 24 when absent.',
        }),
      ),
    },
    { additionalProperties: false, title: 'ApiKeyRotation' },
  ),
)

/** A key without its secret. */
export const view = (key: ApiKey) => {
  const { allowedNetworks, ...rest } = keyView(key)
  return { ...rest, allowedNetworks: allowedNetworks && [...allowedNetworks] }
}
