import { Anchor, Button, Group, SegmentedControl, Text } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { CostRow } from '../../../../message/costs.ts'
import { save } from '../../api/files.ts'
import { useWorkspace } from '../../app/session.tsx'
import { type Column, DataTable } from '../../components/DataTable.tsx'
import { EmptyList } from '../../components/EmptyList.tsx'
import { choicesOf } from '../../components/fields.ts'
import { Hint } from '../../components/Hint.tsx'
import { money, whole } from '../../components/numbers.ts'
import { Section } from '../../components/Section.tsx'
import { Time } from '../../components/Time.tsx'
import { useFilters } from '../../components/useFilters.ts'
import { language, texts } from '../../texts/texts.ts'
import { Figure } from './Figure.tsx'
import { type Prices as Answer, usePrices } from './queries.ts'

const words = texts.usage.prices

type Grouping = keyof typeof words.groupings
interface Row extends CostRow {
  readonly sums: Answer['sums']
  /** Charged, and in no sum. */
  readonly withoutRate: number
}

/** What a month costs, as far as it is known, with the way to its parts or to the rates that are missing. */
export function Cost({ month, used }: { month: string; used: number }) {
  const { id: workspaceId, can } = useWorkspace()
  const { data } = usePrices(month)
  if (!data) return null
  const { prices, sums, ratesSetAt, withoutRate } = data
  const [billable, free] = (['billable', 'free'] as const).map(of => prices.reduce((all, row) => all + row[of], 0))
  const unreported = used - (billable ?? 0) - (free ?? 0)
  return (
    <Section title={sums.length === 0 ? words.chargedMessages : words.cost}>
      <Figure of={sums.length === 0 && texts.usage.unit}>
        {sums.length === 0 ? whole(billable ?? 0) : words.about(money(sums))}
      </Figure>
      <Hint>
        {sums.length > 0 && `${words.charged(whole(billable ?? 0))}. `}
        {free !== 0 && `${words.notCharged(whole(free ?? 0))}. `}
        {unreported > 0 && words.unreported(unreported, whole(unreported))}
      </Hint>
      {ratesSetAt !== null && withoutRate > 0 && (
        <Text size="sm" fw={600}>
          {words.withoutRate(withoutRate, whole(withoutRate))}
        </Text>
      )}
      {ratesSetAt === null && can('admin') && (
        <Button component={Link} href={`/w/${workspaceId}/settings#rates`} variant="default" size="xs" mt="xs">
          {words.addRates}
        </Button>
      )}
    </Section>
  )
}

/** What the platform charges for of the messages of a month: by category, by country, or by both. */
export function Prices({ month }: { month: string }) {
  const { id: workspaceId } = useWorkspace()
  const [{ of }, change] = useFilters({ of: 'category' })
  const by: Grouping = of === 'country' || of === 'both' ? of : 'category'
  const prices = usePrices(month)
  const { data } = prices
  const hasRates = typeof data?.ratesSetAt === 'string'
  const saveCsv = () => save(`/api/v1/workspaces/${workspaceId}/usage/${month}/prices.csv`, `prices-${month}.csv`)
  return (
    <Section
      title={words.title}
      anchor="prices"
      hint={data && <Estimated data={data} />}
      actions={
        data &&
        data.prices.length > 0 && (
          <Group gap="xs">
            <SegmentedControl
              aria-label={words.by}
              data={choicesOf(words.groupings)}
              value={by}
              onChange={value => change({ of: value })}
            />
            <Button variant="default" size="xs" leftSection={<IconDownload size={16} />} onClick={() => void saveCsv()}>
              {words.save}
            </Button>
          </Group>
        )
      }
    >
      <DataTable
        label={words.title}
        columns={columnsOf(by, hasRates)}
        rows={data && grouped(data.prices, by)}
        keyOf={({ category, country }) => `${category} ${country}`}
        query={prices}
        empty={<EmptyList title={words.empty} hint={words.emptyHint} />}
      />
    </Section>
  )
}

/** Whose rates the estimate goes by, or where they are given. */
function Estimated({ data: { ratesSetAt } }: { data: Answer }): ReactNode {
  const { id, can } = useWorkspace()
  const settings = (
    <Anchor component={Link} href={`/w/${id}/settings#rates`} inherit underline="always">
      {words.toRates}
    </Anchor>
  )
  if (ratesSetAt === null) {
    return (
      <>
        {words.hint} {words.noRates} {can('admin') ? settings : words.adminGives}
      </>
    )
  }
  return (
    <>
      {words.hint} {words.estimateHint} <Time at={ratesSetAt} precision="day" />. {words.notTakenOff}{' '}
      {can('admin') && settings}
    </>
  )
}

/** @returns the rows of one category or one country as one, most charged first */
function grouped(prices: Answer['prices'], by: Grouping): Row[] {
  const groups = Map.groupBy(prices, ({ category, country }) =>
    by === 'category' ? category : by === 'country' ? country : `${category} ${country}`,
  )
  const rows = [...groups.values()].flatMap(([first, ...others]) => {
    if (!first) return []
    const all = [first, ...others]
    const sums = [...Map.groupBy(all, ({ currency }) => currency)].flatMap(([currency, rows]) =>
      currency === null ? [] : [{ currency, amount: rows.reduce((sum, { amount }) => sum + (amount ?? 0), 0) }],
    )
    const [billable, free] = (['billable', 'free'] as const).map(of => all.reduce((sum, row) => sum + row[of], 0))
    const withoutRate = all.reduce((sum, row) => sum + (row.amount === null ? row.billable : 0), 0)
    return [{ ...first, billable: billable ?? 0, free: free ?? 0, sums, withoutRate }]
  })
  return rows.sort((one, other) => other.billable - one.billable || other.free - one.free)
}

function columnsOf(by: Grouping, hasRates: boolean): readonly Column<Row>[] {
  const category: Column<Row> = {
    header: words.category,
    place: 'who',
    render: ({ category }) => words.categories[category],
  }
  const country: Column<Row> = {
    header: words.country,
    place: by === 'both' ? 'what' : 'who',
    render: ({ country }) => countryName(country),
  }
  // On a telephone, what a row comes to stands beside its name, and no zero is told.
  const estimate: Column<Row> = {
    ...{ header: words.estimate, place: 'when', isNumber: true },
    render: ({ sums, withoutRate }) => (
      <span className="amount">
        {sums.length > 0 ? money(sums) : withoutRate === 0 && '–'}
        {withoutRate > 0 && (
          <Text span display="block" size="xs" c="dimmed">
            {words.partWithoutRate(whole(withoutRate))}
          </Text>
        )}
      </span>
    ),
  }
  const [charged, notCharged] = by === 'both' ? (['how', 'more'] as const) : (['what', 'how'] as const)
  return [
    ...(by === 'country' ? [] : [category]),
    ...(by === 'category' ? [] : [country]),
    {
      ...{ header: words.billable, unit: words.billableUnit, place: hasRates ? charged : 'when', isNumber: true },
      render: ({ billable }) => whole(billable),
    },
    {
      ...{ header: words.free, unit: words.freeUnit, place: hasRates ? notCharged : 'how', isNumber: true },
      render: ({ free }) => (free === 0 ? <span className="untold">0</span> : whole(free)),
    },
    ...(hasRates ? [estimate] : []),
  ]
}

const regions = new Intl.DisplayNames(language, { type: 'region' })
const countryName = (country: string | null) => (country === null ? words.unknownCountry : regions.of(country))
