import { Type, wire } from '../../schema.ts'

const strict = { additionalProperties: false } as const
const nullableText = Type.Union([Type.String(), Type.Null()])
/** As long as a name or a user id may be. */
const searchLengthMax = 200
const cursorLengthMax = 100
const contactsMax = 100

export const contactsQuery = wire(
  Type.Object(
    {
      q: Type.Optional(
        Type.String({ maxLength: searchLengthMax, description: 'A phone number, an id, or a part of the name.' }),
      ),
      cursor: Type.Optional(Type.String({ maxLength: cursorLengthMax, description: 'The page behind this cursor.' })),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: contactsMax })),
    },
    strict,
  ),
  'text',
)

const contactSchema = Type.Object(
  {
    id: Type.String(),
    phone: nullableText,
    userId: nullableText,
    name: nullableText,
    createdAt: Type.String({ format: 'date-time' }),
    updatedAt: Type.String({ format: 'date-time' }),
  },
  { ...strict, title: 'Contact' },
)

export const contactsAnswer = wire(
  Type.Object(
    { contacts: Type.Array(contactSchema, { description: 'Newest first.' }), next: nullableText },
    { ...strict, title: 'ContactList' },
  ),
)

export const contactAnswer = wire(
  Type.Object(
    {
      contact: contactSchema,
      preferences: Type.Array(
        Type.Object({ category: Type.String(), value: Type.String(), at: Type.String() }, strict),
        { description: 'Which messages the person wants, as the platform told: `stop` or `resume` by category.' },
      ),
      history: Type.Array(
        Type.Object(
          {
            id: Type.String(),
            direction: Type.Enum(['in', 'out']),
            at: Type.String(),
            kind: Type.String(),
            text: nullableText,
            status: nullableText,
          },
          strict,
        ),
        { description: 'What the person sent and got, newest first: the last of each.' },
      ),
      hasMore: Type.Boolean(),
      flows: Type.Array(
        Type.Object(
          {
            messageId: Type.String(),
            lineId: Type.String(),
            openedAt: Type.String(),
            closedAt: nullableText,
            closedBy: nullableText,
          },
          strict,
        ),
      ),
    },
    { ...strict, title: 'ContactDetails' },
  ),
)

export const forgottenAnswer = wire(
  Type.Object(
    {
      messages: Type.Integer({ description: 'Messages to it.' }),
      inbound: Type.Integer({ description: 'Messages of it.' }),
    },
    { ...strict, title: 'ForgottenContact' },
  ),
)
