import { Anchor, Box, Table } from '@mantine/core'
import { Link } from 'wouter'
import { texts } from '../texts/texts.ts'
import { DayBars, type DayBarsProps } from './DayBars.tsx'
import { whole } from './numbers.ts'
import { localDate } from './times.ts'

/** Numbers by day, as stacked bars; and the same numbers as a table, for who cannot see or click the bars. */
export function DayChart({ label, dayLabel, ...bars }: DayBarsProps & { label: string; dayLabel: string }) {
  const { data, series, hrefOf } = bars
  const numberOf = (row: (typeof data)[number], name: string) => {
    const count = whole(Number(row[name]))
    return Number(row[name]) > 0 ? (
      <Anchor component={Link} href={hrefOf(row.day, name)} size="sm" display="inline-block" miw={40}>
        {count}
      </Anchor>
    ) : (
      count
    )
  }
  return (
    <Box>
      <DayBars {...bars} />
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
