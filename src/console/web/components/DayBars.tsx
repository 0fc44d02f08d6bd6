import { Box, Group, Paper, Text } from '@mantine/core'
import { useElementSize } from '@mantine/hooks'
import { useState } from 'react'
import { Link } from 'wouter'
import { language } from '../texts/texts.ts'
import { whole } from './numbers.ts'

export interface Series {
  readonly name: string
  readonly label: string
  /** Of the theme: `teal.7`. */
  readonly color: string
}

/** A day of UTC (`2026-01-31`), and its number of each series. */
export type DayCounts = Readonly<Record<string, number | string>> & { readonly day: string }

export interface DayBarsProps {
  readonly data: readonly DayCounts[]
  readonly series: readonly Series[]
  /** The list that a number counts. */
  readonly hrefOf: (day: string, series: string) => string
}

/** What the name of a day takes below its bar, with the space to the next one, in pixels. */
const nameWidth = 88

const dayFormat = new Intl.DateTimeFormat(language, { month: 'short', day: 'numeric', timeZone: 'UTC' })
/** A day is one of UTC; only its name is in the reader's language. */
const nameOf = (day: string) => dayFormat.format(new Date(day))

const countOf = (row: DayCounts, { name }: Series) => Number(row[name])

/**
 * Numbers by day, as stacked bars: a part opens the list that it counts, a day shows its numbers to who points at it.
 * Hidden from screen readers and keyboards, for which the same numbers stand in a table.
 */
export function DayBars({ data, series, hrefOf }: DayBarsProps) {
  const { ref, width } = useElementSize()
  const [pointedAt, pointAt] = useState<number | null>(null)
  const [lit, light] = useState<string | null>(null)
  const ticks = roundTicks(Math.max(...data.map(row => series.reduce((sum, one) => sum + countOf(row, one), 0))))
  const top = ticks.at(-1) ?? 1
  // Counted from the last day back: today always has its name.
  const daysByName = Math.ceil((nameWidth * data.length) / width)
  const isNamed = (at: number) => (data.length - 1 - at) % daysByName === 0
  return (
    <div className="day-bars" aria-hidden="true">
      <div className="day-bars-ticks">
        {ticks.map(tick => (
          <span key={tick}>{whole(tick)}</span>
        ))}
      </div>
      <Box className="day-bars-plot" ref={ref} onMouseLeave={() => pointAt(null)}>
        <div className="day-bars-lines">
          {ticks.map(tick => (
            <hr key={tick} />
          ))}
        </div>
        {data.map((row, at) => (
          <Box key={row.day} className="day-bars-day" onMouseEnter={() => pointAt(at)}>
            {series
              .filter(one => countOf(row, one) > 0)
              .map(one => (
                <Box
                  key={one.name}
                  component={Link}
                  href={hrefOf(row.day, one.name)}
                  tabIndex={-1}
                  bg={one.color}
                  h={`${(100 * countOf(row, one)) / top}%`}
                  data-faded={lit !== null && lit !== one.name}
                />
              ))}
            {isNamed(at) && <span>{nameOf(row.day)}</span>}
          </Box>
        ))}
        {pointedAt !== null && <DayNumbers {...{ data, series, at: pointedAt }} />}
      </Box>
      {series.length > 1 && (
        <Group className="day-bars-legend" justify="flex-end" gap="0.25rem 1.25rem" onMouseLeave={() => light(null)}>
          {series.map(one => (
            <Name key={one.name} series={one} onMouseEnter={() => light(one.name)} />
          ))}
        </Group>
      )}
    </div>
  )
}

function Name({ series: { label, color }, onMouseEnter }: { series: Series; onMouseEnter?: () => void }) {
  return (
    <Group gap="0.5rem" fz="sm" wrap="nowrap" {...{ onMouseEnter }}>
      <Box className="day-bars-dot" bg={color} />
      {label}
    </Group>
  )
}

/** The numbers of a day, beside its bar: on the side with more room, and never beyond the edge of the chart. */
function DayNumbers({ data, series, at }: Pick<DayBarsProps, 'data' | 'series'> & { at: number }) {
  const row = data[at]
  // Fewer days may have come meanwhile.
  if (!row) return null
  const isLeft = at < data.length / 2
  const edge = `min(${(100 * (isLeft ? at + 1 : data.length - at)) / data.length}%, 100% - var(--card-width))`
  return (
    <Paper withBorder shadow="md" className="day-bars-card" style={isLeft ? { left: edge } : { right: edge }}>
      <Text fw={600}>{nameOf(row.day)}</Text>
      {series.map(one => (
        <Group key={one.name} justify="space-between" fz="sm" mt="0.3rem">
          <Name series={one} />
          {whole(countOf(row, one))}
        </Group>
      ))}
    </Paper>
  )
}

/** The most lines that are still readable. */
const stepsMax = 5

/** @returns round numbers from 0 to above the largest count: 0, 500, 1000, 1500 for 1,234 */
export function roundTicks(largest: number): number[] {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, largest / stepsMax)))
  const step = [1, 2, 5, 10].map(factor => factor * power).find(size => largest / size < stepsMax) ?? 10 * power
  const steps = Math.floor(largest / step) + 1
  return Array.from({ length: steps + 1 }, (_, at) => at * step)
}
