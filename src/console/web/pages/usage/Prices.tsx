import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { save } from '../../api/files.ts'
import { useWorkspace } from '../../app/session.tsx'
import { type Column, DataTable } from '../../components/DataTable.tsx'
import { EmptyList } from '../../components/EmptyList.tsx'
import { whole } from '../../components/numbers.ts'
import { Section } from '../../components/Section.tsx'
import { monthName } from '../../components/times.ts'
import { texts } from '../../texts/texts.ts'
import { usePrices } from './queries.ts'

const words = texts.usage.prices

/** What the platform charges for of the messages of a month, by category and country. */
export function Prices({ month }: { month: string }) {
  const { id: workspaceId } = useWorkspace()
  const prices = usePrices(month)
  const rows = prices.data?.prices
  type Row = NonNullable<typeof rows>[number]
  const columns: readonly Column<Row>[] = [
    { header: words.category, place: 'who', render: ({ category }) => words.categories[category] },
    { header: words.country, place: 'what', render: ({ country }) => countryName(country) },
    { header: words.billable, place: 'how', isNumber: true, render: ({ billable }) => whole(billable) },
    { header: words.free, place: 'when', isNumber: true, render: ({ free }) => whole(free) },
  ]
  const saveCsv = () => save(`/api/v1/workspaces/${workspaceId}/usage/${month}/prices.csv`, `prices-${month}.csv`)
  return (
    <Section
      title={words.title(monthName(month))}
      anchor="prices"
      hint={words.hint}
      actions={
        rows &&
        rows.length > 0 && (
          <Button
            variant="default"
            size="compact-sm"
            leftSection={<IconDownload size={16} />}
            onClick={() => void saveCsv()}
          >
            {words.save}
          </Button>
        )
      }
    >
      <DataTable
        label={words.title(monthName(month))}
        columns={columns}
        rows={rows}
        keyOf={({ category, country }) => `${category} ${country}`}
        query={prices}
        empty={<EmptyList title={words.empty} hint={words.emptyHint} />}
      />
    </Section>
  )
}

const regions = new Intl.DisplayNames('en', { type: 'region' })
const countryName = (country: string | null) => (country === null ? words.unknownCountry : regions.of(country))
