import { readFileSync } from 'node:fs'
import type { Command } from 'commander'
import { messageOf } from '../base/errors.ts'
import { type CostRow, costRows, type Estimate, estimateOf, estimateOfAll, type Rate } from '../message/costs.ts'
import type { PriceCount } from '../message/counts.ts'
import { monthOf } from '../message/plan.ts'
import { readRates } from '../operations/ratesFile.ts'
import { CommandError, UsageError } from './failure.ts'
import { month, optional, text, workspacesOption } from './inputs.ts'
import { addReading } from './list.ts'
import { commandLine, table } from './output.ts'
import type { Workbench } from './session.ts'
import { meantWorkspaces } from './workspace.ts'

/** Every category in every country has some 3,000 lines of 30 characters; there may be other columns. */
const charsMax = 1_000_000

interface Costs {
  readonly month: string
  readonly counts: readonly PriceCount[]
  /** By the rates of the file, else by those that each workspace keeps; null: there are none. */
  readonly estimate: Estimate | null
}

/** `waypost costs`: what the platform charges for, and with rates an estimate of it. */
export function costsCommand(program: Command, workbench: Workbench): void {
  addReading(program, workbench, {
    name: 'costs',
    summary: 'show what the platform charges for in a month, by category and country; with rates, an estimate in money',
    example: 'costs --month 2026-01 --rates rates.csv',
    inputs: {
      workspace: workspacesOption,
      month: optional(month, 'the calendar month (UTC), as in 2026-01; this month when absent'),
      rates: optional(
        text('path'),
        'a CSV file with the columns country, category, price and currency; else those in the settings',
      ),
    },
    async read({ store }, { workspace, month = monthOf(store.clock.now()), rates }): Promise<Costs> {
      // A wrong file is told before anything is read.
      const given = rates === undefined ? null : ratesIn(rates)
      const found = await Promise.all(
        (await meantWorkspaces(store, workspace)).map(async ({ id: workspaceId }) => {
          const counts = await store.read.priceCounts({ workspaceId, month })
          const own = given ?? (await store.read.priceRates(workspaceId))?.rates ?? null
          return { counts, hasRates: own !== null, estimate: estimateOf(costRows(counts), own) }
        }),
      )
      const hasRates = found.some(each => each.hasRates)
      return {
        month,
        counts: found.flatMap(({ counts }) => counts),
        estimate: hasRates ? estimateOfAll(found.map(({ estimate }) => estimate)) : null,
      }
    },
    view: ({ month, counts, estimate }) => {
      if (estimate === null) return { month, rows: costRows(counts), days: counts }
      const { rows, sums, withoutRate } = estimate
      return { month, rows, estimate: { sums, withoutRate }, days: counts }
    },
    parts: ({ month, counts, estimate }) => {
      if (counts.length === 0) {
        return [`In ${month} the platform has named no price of a delivered message. See ${commandLine('usage')}`]
      }
      if (estimate === null)
        return [table(columns, costRows(counts)), `With a file of rates, an estimate: ${commandLine(example)}`]
      const { rows: priced, sums, withoutRate } = estimate
      const told = sums.map(({ currency, amount }) => `${amount.toFixed(2)} ${currency}`).join(' and ')
      return [
        table({ ...columns, amount: ({ amount }) => amount?.toFixed(4) ?? null, currency: 'currency' }, priced),
        `Estimate: ${told || 'nothing'}. What the platform gives away by the month is not taken off.`,
        ...(withoutRate.length === 0 ? [] : [`Not in it, for want of a rate: ${withoutRate.map(placeOf).join(', ')}`]),
      ]
    },
  })
}

/** @throws CommandError when the file cannot be read; UsageError when it is no table of rates, with what is wrong */
function ratesIn(path: string): readonly Rate[] {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (cause) {
    throw new CommandError(`The file of rates cannot be read: ${messageOf(cause)}`, { cause })
  }
  if (text.length > charsMax) throw new UsageError(`The file of rates has more than ${charsMax} characters`)
  const { rates, problem } = readRates(text)
  if (rates === null) throw new UsageError(problem)
  return rates
}

const example = 'costs --rates rates.csv'

const columns = {
  category: 'category',
  country: ({ country }: CostRow) => country ?? 'unknown',
  billable: 'billable',
  'not charged': 'free',
} as const

const placeOf = ({ category, country, billable }: CostRow) => `${category} ${country ?? 'unknown'} (${billable})`
