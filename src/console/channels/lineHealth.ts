import { closed, Type } from '../../base/schema.ts'
import { causeWords } from '../../graph/failures.ts'
import { judgedMax, type LineHealth } from '../../operations/channels/lineHealth.ts'
import { isoOrNull, orNull, shape, textOrNull } from '../shapes.ts'

export const healthSchema = shape('LineHealth', {
  state: Type.Enum(['works', 'fails', 'quiet'], {
    type: 'string',
    description: `What its last ${judgedMax} sends of a week met; \`quiet\`: it has sent nothing lately.`,
  }),
  sent: Type.Integer({ description: 'How many of its last sends are judged.' }),
  failed: Type.Integer(),
  cause: orNull(closed({ cause: Type.String(), words: Type.String() }), {
    description: 'Why most of them failed.',
  }),
  deliveredAt: textOrNull,
})

export const healthView = ({ cause, deliveredAt, ...health }: LineHealth) => ({
  ...health,
  cause: cause === null ? null : { cause, words: causeWords(cause) },
  deliveredAt: isoOrNull(deliveredAt),
})
