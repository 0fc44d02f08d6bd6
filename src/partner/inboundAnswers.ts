import { closed, orNull, Type } from '../base/schema.ts'
import { inboundSchema } from '../inbound/inboundSchema.ts'
import { nextMeaning } from '../reading/cursor.ts'

export const inboundEnvelope = closed(
  { success: Type.Literal(true), data: inboundSchema },
  { title: 'InboundAnswer', description: 'A message that a user sent.' },
)

export const inboundListEnvelope = closed(
  {
    success: Type.Literal(true),
    data: Type.Array(inboundSchema, { description: 'In the order in which they came.' }),
    next: orNull(Type.String(), {
      description: nextMeaning,
    }),
  },
  { title: 'InboundList', description: 'A page of the messages that users sent.' },
)

export const readEnvelope = closed(
  {
    success: Type.Literal(true),
    data: closed(
      {
        id: Type.String({ description: 'The message.' }),
        read: Type.Literal(true),
        typing: Type.Boolean({ description: 'Whether the user was shown that an answer is being written.' }),
      },
      { title: 'ReadMark', description: 'What the upstream platform was told of a message.' },
    ),
  },
  { title: 'InboundReadAnswer', description: 'The upstream platform has marked the message as read.' },
)
