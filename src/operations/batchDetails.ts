import type { Batch, BatchSums, CountedReason, ItemStatus, OwnFields, Unpriced } from '../../db/contract/batches.ts'
import { itemStatuses } from '../../db/contract/batches.ts'
import type { Line, Template } from '../../db/contract/records.ts'
import type { EpochMs } from '../base/clock.ts'
import { messagingLimitOf } from '../base/messagingLimit.ts'
import { causeWords } from '../graph/failures.ts'
import { type CostRow, type Estimate, estimateOf, type Rate } from '../message/costs.ts'
import { monthOf } from '../message/plan.ts'
import { type PriceCategory, priceCategories } from '../message/pricing.ts'
import { findTemplate } from '../sending/compose.ts'
import { chooseLine } from '../sending/line.ts'
import type { Actor } from './act.ts'
import { reasonsShown } from './batchSchemas.ts'

export interface BatchDetails {
  readonly counts: Readonly<Record<ItemStatus, number>>
  readonly firstAt: EpochMs | null
  readonly lastAt: EpochMs | null
  /** Of those that were sent: whose recipient wrote within 72 hours of it. */
  readonly answered: number
  /** Most first, `reasonsShown` at most. */
  readonly reasons: readonly BatchReasonCount[]
  readonly cost: BatchCost
  readonly warnings: readonly BatchWarning[]
}

export type BatchReasonCount = Omit<CountedReason, 'message'> & { readonly message: string }

type Sums = Estimate['sums']

/** An estimate at the rates that the workspace keeps. */
export interface BatchCost {
  /** Of what was delivered, by the platform's word of what is charged. Empty without rates. */
  readonly soFar: Sums
  /** In all, once the others are delivered; null: there are no rates, or what they are charged as is unknown. */
  readonly expected: Sums | null
  /** Messages that are charged, or would be, and have no rate: they are in no sum. */
  readonly withoutRate: number
  /** By category and country. */
  readonly rows: Estimate['rows']
}

export interface BatchWarning {
  readonly code: 'plan' | 'messagingLimit'
  readonly message: string
}

/** Items that one read looks at: some milliseconds, */
export const stepItems = 1_000
/** also where it sums them up, which takes twice as long. */
const summedItems = 500
/** The platform's own words may differ each time: beyond so many, further ones are one. */
const reasonsMax = 500

/** So many sorts of items are looked up, each with a template of its own; of more, the cost to come is unknown. */
const ownMax = 50

const noSums: Omit<BatchSums, 'counts'> = {
  ...{ firstAt: null, lastAt: null, answered: 0 },
  ...{ reasons: [], costs: [], unpriced: [] },
}

/** What became of the items, and what will hold up those that wait. The items are looked at in steps. */
export async function batchDetails(
  { read, clock }: Pick<Actor, 'read' | 'clock'>,
  batch: Batch,
  rest: () => Promise<unknown> = async () => {},
): Promise<BatchDetails> {
  const counts = Object.fromEntries(itemStatuses.map(status => [status, 0])) as Record<ItemStatus, number>
  let sums = noSums
  for (let after: number | null = -1; after !== null; ) {
    await rest()
    const step: BatchSums & { next: number | null } = await read.countBatchItems({
      ...{ batchId: batch.id, after, limit: summedItems },
    })
    for (const status of itemStatuses) counts[status] += step.counts[status] ?? 0
    sums = added(sums, step)
    after = step.next
  }
  const now = clock.now()
  const [lines, kept] = await Promise.all([read.lines(batch.workspaceId), read.priceRates(batch.workspaceId)])
  const line = lineOf(batch, lines)
  const toCome = await toComeOf(sums.unpriced, chargesOf(read, batch, lines))
  const cost = costOf(sums, kept?.rates ?? null, toCome)
  const warnings = counts.WAITING === 0 ? [] : await warningsOf(read, batch, line, counts.WAITING, now)
  const { firstAt, lastAt, answered } = sums
  const reasons = [...sums.reasons]
    .sort((one, other) => other.count - one.count)
    .slice(0, reasonsShown)
    .map(reason => ({ ...reason, message: reason.message ?? causeWords(reason.code) }))
  return { counts, firstAt, lastAt, answered, reasons, cost, warnings }
}

const least = (one: EpochMs | null, other: EpochMs | null) =>
  one === null || other === null ? (one ?? other) : Math.min(one, other)
const most = (one: EpochMs | null, other: EpochMs | null) =>
  one === null || other === null ? (one ?? other) : Math.max(one, other)

/** @returns rows with the numbers of those added that are of the same thing */
function joined<Row>(rows: readonly Row[], keyOf: (row: Row) => string, sum: (one: Row, other: Row) => Row): Row[] {
  const byKey = new Map<string, Row>()
  for (const row of rows) {
    const key = keyOf(row)
    const known = byKey.get(key)
    byKey.set(key, known === undefined ? row : sum(known, row))
  }
  return [...byKey.values()]
}

const joinedCosts = (rows: readonly CostRow[]) =>
  joined(
    rows,
    ({ category, country }) => `${category} ${country}`,
    (one, { billable, free }) => ({ ...one, billable: one.billable + billable, free: one.free + free }),
  )

const counted = <Row extends { readonly count: number }>(one: Row, { count }: Row): Row => ({
  ...one,
  count: one.count + count,
})

function added(one: typeof noSums, other: typeof noSums): typeof noSums {
  const reasons = joined([...one.reasons, ...other.reasons], ({ status, code }) => `${status} ${code}`, counted)
  return {
    firstAt: least(one.firstAt, other.firstAt),
    lastAt: most(one.lastAt, other.lastAt),
    answered: one.answered + other.answered,
    reasons: reasons.slice(0, reasonsMax),
    costs: joinedCosts([...one.costs, ...other.costs]),
    unpriced: joined(
      [...one.unpriced, ...other.unpriced],
      ({ country, own }) => JSON.stringify([country, own]),
      counted,
    ),
  }
}

export function lineOf({ defaults: { phoneNumberId } }: Pick<Batch, 'defaults'>, lines: readonly Line[]): Line | null {
  const choice = chooseLine(lines, typeof phoneNumberId === 'string' ? phoneNumberId : null)
  return choice.ok ? choice.line : null
}

/** What an item is charged as, and what people may have stopped. */
interface Charge {
  /** Null: unknown, as the template is. */
  readonly category: PriceCategory | null
  readonly template: Template | null
}

/**
 * @returns a function that says what an item of the batch is charged as, by its own fields and by those that all
 *   share; null: by those alone. A template is read once, as the platform lists it now
 */
export function chargesOf(
  read: Pick<Actor['read'], 'templatesNamed'>,
  { defaults }: Pick<Batch, 'defaults'>,
  lines: readonly Line[],
): (own: OwnFields | null) => Promise<Charge> {
  const known = new Map<string, Promise<Charge>>()
  const find = async (own: OwnFields | null): Promise<Charge> => {
    const { type, templateName, templateLanguage, phoneNumberId } = { ...defaults, ...own } as OwnFields
    if (type === 'text' || type === 'interactive') return { category: 'service', template: null }
    const line = lineOf({ defaults: { phoneNumberId: phoneNumberId ?? null } }, lines)
    if (typeof templateName !== 'string' || line === null) return { category: null, template: null }
    const asked = { name: templateName, language: typeof templateLanguage === 'string' ? templateLanguage : undefined }
    const match = await findTemplate(read, line.channelId, asked)
    if (match.kind !== 'found') return { category: null, template: null }
    const { template } = match
    return { category: priceCategories.find(one => one === template.category.toLowerCase()) ?? null, template }
  }
  return own => {
    const key = JSON.stringify(own)
    const found = known.get(key) ?? find(own)
    known.set(key, found)
    return found
  }
}

/** @returns null: of one of them it is unknown */
async function toComeOf(
  unpriced: readonly Unpriced[],
  chargeOf: ReturnType<typeof chargesOf>,
): Promise<readonly CostRow[] | null> {
  if (new Set(unpriced.map(({ own }) => JSON.stringify(own))).size > ownMax) return null
  const rows: CostRow[] = []
  for (const { own, country, count } of unpriced) {
    const { category } = await chargeOf(own)
    if (category === null) return null
    rows.push({ category, country, billable: count, free: 0 })
  }
  return rows
}

function costOf(
  { costs, unpriced }: typeof noSums,
  rates: readonly Rate[] | null,
  toCome: readonly CostRow[] | null,
): BatchCost {
  const soFar = estimateOf([...costs], rates)
  const all = rates === null || toCome === null ? null : estimateOf(joinedCosts([...costs, ...toCome]), rates)
  const { withoutRate } = all ?? soFar
  return {
    soFar: soFar.sums,
    expected: unpriced.length === 0 && rates !== null ? soFar.sums : (all?.sums ?? null),
    withoutRate: rates === null ? 0 : withoutRate.reduce((sum, { billable }) => sum + billable, 0),
    rows: soFar.rows,
  }
}

async function warningsOf(
  read: Actor['read'],
  { workspaceId }: Batch,
  line: Line | null,
  waiting: number,
  now: EpochMs,
): Promise<BatchWarning[]> {
  const { limit, used } = await read.plan({ workspaceId, month: monthOf(now) })
  const left = limit === null ? null : Math.max(0, limit - used)
  const perDay = line === null || line.messagingLimit === null ? null : messagingLimitOf(line.messagingLimit)
  return [
    ...(left === null || left >= waiting
      ? []
      : [
          {
            code: 'plan',
            message: `${waiting} items wait, and the plan has ${left} messages left this month.`,
          } as const,
        ]),
    ...(perDay === null || perDay >= waiting
      ? []
      : [
          {
            code: 'messagingLimit',
            message:
              `${waiting} items wait, and the platform lets all numbers of the portfolio write first to ` +
              `${perDay.toLocaleString('en')} new people a day.`,
          } as const,
        ]),
  ]
}
