import { Elysia } from 'elysia'
import { byteOrderMark, csvLine } from '../../base/csv.ts'
import { lineName } from '../../base/direction.ts'
import { closed, Type } from '../../base/schema.ts'
import { countedEveryMs } from '../../jobs/countUsage.ts'
import { costRows, estimateOf } from '../../message/costs.ts'
import type { PriceCount } from '../../message/counts.ts'
import { priceCategories } from '../../message/pricing.ts'
import { keyLabelsOf } from '../../operations/apiKeys.ts'
import { guard } from '../guard.ts'
import type { ConsoleParts } from '../parts.ts'
import { iso, isoOrNull, orNull, textOrNull, wired } from '../shapes.ts'

const currency = Type.String({ description: 'ISO 4217.' })
const pricesAnswer = wired('Prices', {
  ratesSetAt: Type.Union([textOrNull], {
    description: 'When the rates of the estimate were set; null: there are none.',
  }),
  sums: Type.Array(closed({ currency, amount: Type.Number() }), { description: 'The estimate in all.' }),
  withoutRate: Type.Integer({ description: 'Charged messages that have no rate, and are in no estimate.' }),
  prices: Type.Array(
    closed({
      category: Type.Enum([...priceCategories]),
      country: orNull(Type.String(), { description: "ISO 3166-1; null: the recipient's number tells none." }),
      billable: Type.Integer(),
      free: Type.Integer({ description: 'Not charged, by the word of the platform.' }),
      amount: orNull(Type.Number(), { description: 'The estimate; null: nothing is charged, or there is no rate.' }),
      currency: Type.Union([Type.Null(), currency]),
    }),
    { description: 'Most charged first.' },
  ),
})

/** A month has at most some thousands of rows: 31 days of the categories and countries that were sent to. */
const pricesCsv = (counts: readonly PriceCount[]) =>
  [
    byteOrderMark + csvLine(['day', 'category', 'country', 'billable', 'messages']),
    ...counts.map(({ day, category, country, billable, count }) => csvLine([day, category, country, billable, count])),
  ]
    .map(line => `${line}\r\n`)
    .join('')

const share = closed({
  id: Type.String({
    description: 'Of a line or a key, or the name of a template. Empty: sent in the console, or no template.',
  }),
  name: textOrNull,
  count: Type.Integer(),
})
const shares = Type.Array(share, { description: 'Most first.' })
const partsAnswer = wired('UsageParts', {
  countedUntil: Type.Union([textOrNull], { description: 'Messages that were accepted later are not counted yet.' }),
  nextCountAt: Type.String({ description: 'A message that was just accepted is counted then, or ten minutes later.' }),
  messages: Type.Integer({ description: 'All that were accepted in the month, also those that failed later.' }),
  line: shares,
  template: shares,
  key: shares,
})

/** `GET …/usage/:month`: which lines, templates and keys the messages of a month were sent with. */
export function usageRoutes(parts: ConsoleParts) {
  const { clock } = parts
  const { read } = parts.store
  return new Elysia({ name: 'console-usage', prefix: '/workspaces/:workspaceId/usage' })
    .use(guard(parts))
    .get(
      '/:month/prices',
      async ({ member: { workspaceId }, params: { month } }) => {
        const [counts, kept] = await Promise.all([
          read.priceCounts({ workspaceId, month }),
          read.priceRates(workspaceId),
        ])
        const { rows, sums, withoutRate } = estimateOf(costRows(counts), kept?.rates ?? null)
        return {
          ratesSetAt: isoOrNull(kept?.setAt ?? null),
          sums: [...sums],
          withoutRate: withoutRate.reduce((sum, { billable }) => sum + billable, 0),
          prices: [...rows],
        }
      },
      {
        role: 'viewer',
        response: pricesAnswer,
        summary: 'Prices by category and country',
        description:
          'How many messages that were accepted in a month (`2026-01`, UTC) and delivered the platform charges for, ' +
          'and does not; with rates in the settings, an estimate of what they cost.',
      },
    )
    .get(
      '/:month/prices.csv',
      async ({ member: { workspaceId }, params: { month }, set }) => {
        set.headers['content-type'] = 'text/csv; charset=utf-8'
        set.headers['content-disposition'] = `attachment; filename="prices-${month}.csv"`
        return new Response(pricesCsv(await read.priceCounts({ workspaceId, month })))
      },
      { role: 'viewer', summary: 'Prices by day, as a table', description: 'As CSV (RFC 4180).' },
    )
    .get(
      '/:month',
      async ({ member: { workspaceId }, params: { month } }) => {
        const [counts, counted, lines, keys] = await Promise.all([
          read.monthlyCounts({ workspaceId, month }),
          read.countedUsage(),
          read.lines(workspaceId),
          read.keys(workspaceId),
        ])
        const names = new Map<string, string | null>([
          ...lines.map(line => [`line:${line.id}`, lineName(line)] as const),
          ...[...keyLabelsOf(keys)].map(([id, label]) => [`key:${id}`, label] as const),
        ])
        const of = (what: 'line' | 'template' | 'key') =>
          counts
            .filter(({ kind }) => kind.startsWith(`${what}:`))
            .map(({ kind, count }) => ({ id: kind.slice(what.length + 1), name: names.get(kind) ?? null, count }))
            .sort((one, other) => other.count - one.count)
        const line = of('line')
        return {
          countedUntil: isoOrNull(counted?.until ?? null),
          nextCountAt: iso((Math.floor(clock.now() / countedEveryMs) + 1) * countedEveryMs),
          // Each message has one line.
          messages: line.reduce((sum, { count }) => sum + count, 0),
          line,
          template: of('template'),
          key: of('key'),
        }
      },
      {
        role: 'viewer',
        response: partsAnswer,
        summary: 'Usage by line, template and key',
        description: 'The messages of a month (`2026-01`, UTC), counted some minutes after they were accepted.',
      },
    )
}
