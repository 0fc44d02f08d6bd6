import { BarChart } from '@mantine/charts'
import { Anchor, Box, Table } from '@mantine/core'
import { Link, useLocation } from 'wouter'
import { texts } from '../texts/texts.ts'
import { whole } from './numbers.ts'
import { roundTicks } from './ticks.ts'
import { localDate } from './times.ts'

interface Series {
  readonly name: string
  readonly label: string
  readonly color: string
}

const dayFormat = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric', timeZone: 'UTC' })

/** A day is one of UTC; only its name is in the reader's language. The chart also calls it without a day. */
function dayName(day: unknown): string {
  const start = new Date(`${day}T00:00Z`)
  return Number.isNaN(start.getTime()) ? '' : dayFormat.format(start)
}

/** Numbers by day, as stacked bars; and the same numbers as a table, for who cannot see or click the bars. */
export function DayChart(props: {
  label: string
  dayLabel: string
  data: readonly (Readonly<Record<string, number | string>> & { readonly day: string })[]
  series: readonly Series[]
  h?: number
  /** The list that a number counts. */
  hrefOf?: (day: string, series: string) => string
}) {
  const { label, dayLabel, data, series, h = 240, hrefOf } = props
  const [, navigate] = useLocation()
  const ticks = roundTicks(Math.max(...data.map(row => series.reduce((sum, { name }) => sum + Number(row[name]), 0))))
  const numberOf = (row: (typeof data)[number], name: string) => {
    const count = whole(Number(row[name]))
    return hrefOf && Number(row[name]) > 0 ? (
      <Anchor component={Link} href={hrefOf(row.day, name)} size="sm">
        {count}
      </Anchor>
    ) : (
      count
    )
  }
  return (
    <Box>
      <div aria-hidden="true">
        <BarChart
          h={h}
          data={[...data]}
          dataKey="day"
          type="stacked"
          series={series.map(({ name, label, color }) => ({ name, label, color }))}
          withLegend={series.length > 1}
          legendProps={{ verticalAlign: 'bottom', itemSorter: null }}
          valueFormatter={whole}
          yAxisProps={{ ticks, domain: [0, ticks.at(-1) ?? 1], interval: 0 }}
          xAxisProps={{ tickFormatter: dayName, minTickGap: 16 }}
          tooltipProps={{ labelFormatter: dayName }}
          barProps={({ name }) => ({
            isAnimationActive: false,
            ...(hrefOf && {
              cursor: 'pointer',
              onClick: ({ payload }: { payload?: { day: string } }) => payload && navigate(hrefOf(payload.day, name)),
            }),
          })}
          // Hidden from screen readers, which have the table, so nothing in it may take the focus.
          barChartProps={{ accessibilityLayer: false }}
          maxBarWidth={36}
          gridAxis="x"
          tickLine="none"
        />
      </div>
      <details className="chart-table">
        <summary>{texts.common.asTable}</summary>
        <Table aria-label={label} mt="xs">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{dayLabel}</Table.Th>
              {series.map(({ name, label }) => (
                <Table.Th key={name}>{label}</Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {data.toReversed().map(row => (
              <Table.Tr key={row.day}>
                <Table.Th>{localDate(new Date(`${row.day}T12:00Z`))}</Table.Th>
                {series.map(({ name }) => (
                  <Table.Td key={name}>{numberOf(row, name)}</Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </details>
    </Box>
  )
}
