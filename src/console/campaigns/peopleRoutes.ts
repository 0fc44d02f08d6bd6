import { Elysia } from 'elysia'
import { dayMs } from '../../base/durations.ts'
import { closed, Type } from '../../base/schema.ts'
import { guard } from '../guard.ts'
import type { ConsoleParts } from '../parts.ts'
import { iso, textOrNull, wired, wiredQuery } from '../shapes.ts'

/** A year is as far as people remember that they wrote. */
const daysMax = 365
/** Some milliseconds of a read. */
const peopleAtOnce = 500

const query = wiredQuery({
  days: Type.Integer({ minimum: 1, maximum: daysMax, description: 'Who wrote within so many days.' }),
  cursor: Type.Optional(Type.Integer({ minimum: 0, description: 'The `next` of the part before.' })),
})
const answer = wired('CampaignPeople', {
  people: Type.Array(
    closed({
      id: Type.String(),
      phone: textOrNull,
      name: textOrNull,
      heardAt: Type.String({ description: 'When the person wrote last.' }),
      noMarketing: Type.Boolean({ description: 'The person has asked for no marketing.' }),
    }),
    { description: 'Who wrote last comes first. A part may be short, or empty, before the end.' },
  ),
  next: Type.Union([Type.Null(), Type.Integer()]),
})

/** Whom a campaign may be sent to: people who wrote. */
export function peopleRoutes(parts: ConsoleParts) {
  const { clock, store } = parts
  return new Elysia({ name: 'console-campaign-people' }).use(guard(parts)).get(
    '/campaign-people',
    async ({ member: { workspaceId }, query: { days, cursor: after = null } }) => {
      const since = clock.now() - days * dayMs
      const { people, next } = await store.read.heardPeople({ workspaceId, since, after, limit: peopleAtOnce })
      return {
        people: people.map(({ id, phone, name, heardAt, noMarketing }) => ({
          ...{ id, phone, name, heardAt: iso(heardAt), noMarketing },
        })),
        next,
      }
    },
    { role: 'viewer', query, response: answer, summary: 'List people who wrote, for a campaign' },
  )
}
