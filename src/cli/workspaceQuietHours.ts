import type { Command } from 'commander'
import { type QuietHours, quietCategories, type Weekday, weekdays } from '../message/quietSettings.ts'
import { setQuietHours, timeOfDay } from '../operations/quietHours.ts'
import { addVerb } from './command.ts'
import { done, UsageError } from './failure.ts'
import { argument, idOf, optional, type Reader, readerOf, text, toggle } from './inputs.ts'
import { report, withIsoTimes } from './output.ts'
import type { Workbench } from './session.ts'

const time = readerOf('time', 'It must be a time of day, as 20:00.', given => (timeOfDay.test(given) ? given : null))

const dayNames = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']
const days: Reader<readonly Weekday[]> = {
  ...readerOf('days', `Each must be one of ${dayNames.join(', ')}.`, given => {
    const named = given.split(',').map(name => weekdays[dayNames.indexOf(name.trim().toLowerCase())])
    const known = named.filter(day => day !== undefined)
    return known.length === named.length ? known : null
  }),
  isList: true,
}

/** `waypost workspace set-quiet-hours`: when nobody is written to first. */
export function setQuietHoursCommand(workspace: Command, { withStore }: Workbench): void {
  addVerb(workspace, {
    name: 'set-quiet-hours',
    summary: 'choose the hours in which marketing templates wait until the morning of the person',
    example: 'workspace set-quiet-hours ws_… --from 20:00 --to 08:00 --time-zone Europe/Berlin',
    inputs: {
      workspace: argument(idOf('workspace'), 'the workspace, ws_…'),
      from: optional(time, 'when they begin, in the time of the person'),
      to: optional(time, 'when they end; of the next day where it is not later than --from'),
      days: optional(days, `on which days they begin, with commas: ${dayNames.join(', ')}; left out: each`),
      timeZone: optional(text('name'), 'of everybody whose number does not tell a country with one time'),
      utility: toggle('templates of the category utility wait too'),
      none: toggle('there are no such hours'),
    },
    oneOf: [['from', 'none']],
    run({ workspace, from, to, days, timeZone, utility, none }) {
      const isNamed = [from, to, days, timeZone, utility || undefined].some(given => given !== undefined)
      if (none && isNamed) throw new UsageError('Give either hours or --none')
      if (!none && (from === undefined || to === undefined || timeZone === undefined))
        throw new UsageError('Hours need --from, --to and --time-zone')
      const categories = quietCategories.filter(category => category === 'MARKETING' || utility)
      const hours = from && to && timeZone ? { from, to, days: days ?? weekdays, timeZone, categories } : null
      return withStore(async ({ store }) => {
        const changed = done(await setQuietHours(store, workspace, hours))
        return { data: withIsoTimes(changed), text: report('Quiet hours changed', quietDetails(changed)) }
      })
    },
  })
}

/** What a workspace has chosen, a line. */
const quietDetails = ({ quietHours }: { readonly quietHours: QuietHours | null }) => ({
  'quiet hours':
    quietHours === null
      ? 'none'
      : `${quietHours.from} to ${quietHours.to} on ${quietHours.days.map(day => dayNames[day - 1]).join(', ')}, ` +
        `${quietHours.timeZone} unless the number tells another: ${quietHours.categories.join(', ').toLowerCase()}`,
})
