import type { Command } from 'commander'
import { type CostRow, costRows, estimateOf, type Rate } from '../message/costs.ts'
import type { PriceCount } from '../message/counts.ts'
import { monthOf } from '../message/plan.ts'
import { month, optional, text, workspacesOption } from './inputs.ts'
import { addReading } from './list.ts'
import { commandLine, table } from './output.ts'
import { readRates } from './rates.ts'
import type { Workbench } from './session.ts'
import { ofWorkspaces } from './workspace.ts'

interface Costs {
  readonly month: string
  readonly counts: readonly PriceCount[]
  readonly rates: readonly Rate[] | null
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
      rates: optional(text('path'), 'a CSV file with the columns country, category, price and currency'),
    },
    async read({ store }, { workspace, month = monthOf(store.clock.now()), rates }): Promise<Costs> {
      // A wrong file is told before anything is read.
      const given = rates === undefined ? null : readRates(rates)
      const counts = await ofWorkspaces(store, workspace, workspaceId => store.read.priceCounts({ workspaceId, month }))
      return { month, counts, rates: given }
    },
    view: ({ month, counts, rates }) => {
      const rows = costRows(counts)
      if (rates === null) return { month, rows, days: counts }
      const { rows: priced, sums, withoutRate } = estimateOf(rows, rates)
      return { month, rows: priced, estimate: { sums, withoutRate }, days: counts }
    },
    parts: ({ month, counts, rates }) => {
      const rows = costRows(counts)
      if (rows.length === 0) {
        return [`In ${month} the platform has named no price of a delivered message. See ${commandLine('usage')}`]
      }
      if (rates === null) return [table(columns, rows), `With a file of rates, an estimate: ${commandLine(example)}`]
      const { rows: priced, sums, withoutRate } = estimateOf(rows, rates)
      const told = sums.map(({ currency, amount }) => `${amount.toFixed(2)} ${currency}`).join(' and ')
      return [
        table({ ...columns, amount: ({ amount }) => amount?.toFixed(4) ?? null, currency: 'currency' }, priced),
        `Estimate: ${told || 'nothing'}. What the platform gives away by the month is not taken off.`,
        ...(withoutRate.length === 0 ? [] : [`Not in it, for want of a rate: ${withoutRate.map(placeOf).join(', ')}`]),
      ]
    },
  })
}

const example = 'costs --rates rates.csv'

const columns = {
  category: 'category',
  country: ({ country }: CostRow) => country ?? 'unknown',
  billable: 'billable',
  'not charged': 'free',
} as const

const placeOf = ({ category, country, billable }: CostRow) => `${category} ${country ?? 'unknown'} (${billable})`
