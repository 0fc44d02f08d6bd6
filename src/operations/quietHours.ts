import type { Workspace } from '../../db/contract/accounts.ts'
import { closed, orNull, Type } from '../base/schema.ts'
import { isTimeZone } from '../message/quietHours.ts'
import { type QuietHours, quietCategories, weekdays } from '../message/quietSettings.ts'
import { type Actor, existing, type Refused, wrongField } from './act.ts'

/** `20:00` */
export const timeOfDay = /^([01]\d|2[0-3]):[0-5]\d$/
const timeField = (description: string) => Type.String({ pattern: timeOfDay.source, description })

export const quietHoursField = orNull(
  closed({
    from: timeField('When they begin, in the time of the person: `20:00`.'),
    to: timeField('When they end: of the next day where it is not later than `from`.'),
    days: Type.Array(Type.Enum([...weekdays]), {
      minItems: 1,
      maxItems: weekdays.length,
      description: 'On which days they begin; Monday is 1.',
    }),
    timeZone: Type.String({
      minLength: 1,
      maxLength: 64,
      description: 'Of everybody whose number does not tell a country with one time.',
      examples: ['Europe/Berlin'],
    }),
    categories: Type.Array(Type.Enum([...quietCategories]), {
      minItems: 1,
      maxItems: quietCategories.length,
      description: 'Templates of which categories wait.',
    }),
  }),
  { description: 'The hours in which nobody is written to first; null: there are none.' },
)

/** Sets the hours, or none. They apply from the next send, and to what is released from then on. */
export async function setQuietHours(
  { write }: Pick<Actor, 'write'>,
  workspaceId: string,
  quietHours: QuietHours | null,
): Promise<Workspace | Refused> {
  if (quietHours !== null) {
    const { from, to, days, timeZone } = quietHours
    if (!isTimeZone(timeZone)) return wrongField('/quietHours/timeZone', 'names no time zone, as Europe/Berlin does')
    if (from === to && new Set(days).size === weekdays.length)
      return wrongField('/quietHours/days', 'must leave a day: nothing would ever be sent')
  }
  return existing(await write.setQuietHours({ workspaceId, quietHours }), 'workspace', workspaceId)
}
