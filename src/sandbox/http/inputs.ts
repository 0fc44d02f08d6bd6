import { minuteMs } from '../../base/durations.ts'
import { closed, type Static, Type } from '../../base/schema.ts'
import {
  callbackBytesMax,
  callbackUpdatesMax,
  opaqueCharsMax,
  templateNameCharsMax,
} from '../../base/upstreamLimits.ts'

const lineId = Type.String({ pattern: '^\\d{1,32}$' })
const name = Type.String({ pattern: `^[a-z0-9_]{1,${templateNameCharsMax}}$` })
const language = Type.String({ pattern: '^[A-Za-z]{2,3}([_-][A-Za-z0-9]{2,8})?$' })
const wamid = Type.String({ minLength: 1, maxLength: 256 })

const statusFields = {
  wamid,
  status: Type.Enum(['sent', 'delivered', 'read', 'played', 'failed']),
  code: Type.Optional(Type.Integer({ minimum: 0, maximum: 10_000_000 })),
  details: Type.Optional(Type.String({ maxLength: 1_000 })),
  /** For a message that the stand-in does not know. */
  recipient: Type.Optional(Type.String({ pattern: '^\\+?\\d{7,15}$' })),
  opaque: Type.Optional(Type.String({ maxLength: opaqueCharsMax })),
}

/** One status callback, of a known or made-up message. */
export const statusInput = closed({ ...statusFields, line: Type.Optional(lineId) })
export type StatusInput = Readonly<Static<typeof statusInput>>

/** What becomes of a payment: any words, for the platform adds new ones. Its amount is a whole number of hundredths. */
export const paymentInput = closed({
  wamid,
  status: Type.String({ pattern: '^[a-z_]{1,64}$' }),
  reference: Type.Optional(Type.String({ minLength: 1, maxLength: 256 })),
  amount: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000_000 })),
  currency: Type.Optional(Type.String({ pattern: '^[A-Z]{3}$' })),
  recipient: statusFields.recipient,
  line: Type.Optional(lineId),
})
export type PaymentInput = Readonly<Static<typeof paymentInput>>

/** One POST with many statuses; the upstream's own bounds are 1000 updates and 3 MB. */
export const batchInput = closed({
  updates: Type.Array(closed(statusFields), { minItems: 1, maxItems: callbackUpdatesMax }),
  line: Type.Optional(lineId),
  /** The size of the whole body. */
  padBytes: Type.Optional(Type.Integer({ minimum: 0, maximum: callbackBytesMax })),
})
export type BatchInput = Readonly<Static<typeof batchInput>>

/** Any word: the upstream adds new ones. */
const word = Type.String({ pattern: '^[A-Z_]{1,64}$' })
const rejection = {
  reason: Type.Optional(Type.String({ maxLength: 256 })),
  /** What the callback advises after a rejection. */
  recommendation: Type.Optional(Type.String({ maxLength: 1_024 })),
}

/** Template updates. */
export const templateUpdateInput = closed({
  name,
  language,
  event: word,
  ...rejection,
})
export type TemplateUpdateInput = Readonly<Static<typeof templateUpdateInput>>

/** A new status of a template. */
export const templateStatusInput = closed({
  status: word,
  ...rejection,
  /** No callback: the template changes between the gateway's check and its send. */
  silent: Type.Optional(Type.Boolean()),
})

const componentFields = {
  type: Type.String(),
  format: Type.Optional(Type.String()),
  text: Type.Optional(Type.String()),
  buttons: Type.Optional(
    Type.Array(
      Type.Object({
        type: Type.String(),
        text: Type.Optional(Type.String()),
        url: Type.Optional(Type.String()),
      }),
    ),
  ),
}
const card = Type.Object({ components: Type.Array(Type.Object(componentFields)) })

/** A template as the listing shows it; components are kept as given, unknown fields as well. */
export const templateInput = Type.Object({
  id: Type.Optional(Type.String({ pattern: '^\\d{1,32}$' })),
  name,
  language,
  category: Type.Optional(word),
  status: Type.Optional(word),
  /** `AUTO_GENERATED`: made by Direct Send, and sent, edited and deleted by nobody. */
  source: Type.Optional(word),
  parameter_format: Type.Optional(Type.Enum(['POSITIONAL', 'NAMED'])),
  components: Type.Array(Type.Object({ ...componentFields, cards: Type.Optional(Type.Array(card)) }), {
    minItems: 1,
    maxItems: 10,
  }),
})

export const tokenInput = closed({ state: Type.Enum(['valid', 'expired', 'invalidated']) })
export const callbackUrlInput = closed({
  url: Type.Union([Type.String({ pattern: '^https?://', maxLength: 2_000 }), Type.Null()]),
})
/** Ten minutes: an outage closes the control routes too, so it must end by itself. */
export const outageInput = closed({ forMs: Type.Integer({ minimum: 1, maximum: 10 * minuteMs }) })
export const rawInput = closed({
  payload: Type.Unknown(),
  line: Type.Optional(lineId),
  signature: Type.Optional(Type.Enum(['good', 'wrong', 'missing', 'truncated'])),
})
export const requestsQuery = closed({
  line: Type.Optional(lineId),
  waId: Type.Optional(Type.String({ maxLength: 160 })),
  opaque: Type.Optional(Type.String({ maxLength: opaqueCharsMax })),
  outcome: Type.Optional(Type.Enum(['accepted', 'refused', 'lost', 'dropped'])),
  afterSeq: Type.Optional(Type.Integer({ minimum: 0 })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 50_000 })),
})
