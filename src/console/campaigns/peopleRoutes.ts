import { Elysia } from 'elysia'
import { dayMs } from '../../base/durations.ts'
import { closed, Type } from '../../base/schema.ts'
import { guard } from '../guard.ts'
import type { ConsoleParts } from '../parts.ts'
import { isoOrNull, textOrNull, wired, wiredQuery } from '../shapes.ts'

/** A year is as far as people remember that they wrote. */
const daysMax = 365
/** Some milliseconds of a read. */
const peopleAtOnce = 500
/** The id of a contact, or a number. */
const cursorMax = 64

const query = wiredQuery({
  days: Type.Optional(
    Type.Integer({ minimum: 1, maximum: daysMax, description: 'Who wrote within so many days. Left out: everybody.' }),
  ),
  never: Type.Optional(Type.Literal('true', { description: 'Of everybody, who never wrote.' })),
  cursor: Type.Optional(Type.String({ maxLength: cursorMax, description: 'The `next` of the part before.' })),
})
const answer = wired('CampaignPeople', {
  people: Type.Array(
    closed({
      id: Type.String(),
      phone: textOrNull,
      name: textOrNull,
      heardAt: { ...textOrNull, description: 'When the person wrote last; null: never, or it is not kept any more.' },
      noMarketing: Type.Boolean({ description: 'The person has asked for no marketing.' }),
    }),
    {
      description:
        'Of those who wrote, who wrote last comes first; of everybody, who was added last. A part may be short, or ' +
        'empty, before the end.',
    },
  ),
  next: textOrNull,
})

/** Whom a campaign may be sent to: contacts who can be written to. */
export function peopleRoutes(parts: ConsoleParts) {
  const { clock, store } = parts
  const { read } = store
  const limit = peopleAtOnce
  return new Elysia({ name: 'console-campaign-people' }).use(guard(parts)).get(
    '/campaign-people',
    async ({ member: { workspaceId }, query: { days, never, cursor: after = null } }) => {
      const seq = after !== null && /^\d{1,15}$/.test(after) ? Number(after) : null
      const { people, next } =
        days === undefined
          ? await read.people({ workspaceId, after, limit })
          : await read.heardPeople({ workspaceId, since: clock.now() - days * dayMs, after: seq, limit })
      return {
        people: people
          .filter(({ heardAt }) => never === undefined || heardAt === null)
          .map(({ id, phone, name, heardAt, noMarketing }) => ({
            ...{ id, phone, name, heardAt: isoOrNull(heardAt), noMarketing },
          })),
        next: next === null ? null : String(next),
      }
    },
    { role: 'viewer', query, response: answer, summary: 'List contacts for a campaign' },
  )
}
