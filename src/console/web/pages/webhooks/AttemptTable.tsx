import { type Column, DataTable } from '../../components/DataTable.tsx'
import { Hint } from '../../components/Hint.tsx'
import { whole } from '../../components/numbers.ts'
import { StatusBadge } from '../../components/StatusBadge.tsx'
import { Time } from '../../components/Time.tsx'
import { webhooks as words } from '../../texts/en/webhooks.ts'
import { texts } from '../../texts/texts.ts'
import type { Attempt } from './queries.ts'

/** What a receiver answered, and how soon. */
export const AttemptTable = ({ label, attempts }: { label: string; attempts: readonly Attempt[] }) => (
  <DataTable
    label={label}
    columns={columns}
    rows={attempts}
    keyOf={({ at }) => at}
    empty={<Hint>{words.noDeliveries}</Hint>}
  />
)

const columns: readonly Column<Attempt>[] = [
  { header: texts.common.time, place: 'when', render: ({ at }) => <Time at={at} /> },
  {
    header: words.status,
    place: 'who',
    render: ({ status, error }) => (
      <span className="breakable">
        {status !== null && (
          <StatusBadge tone={status >= 200 && status < 300 ? 'good' : 'bad'}>{String(status)}</StatusBadge>
        )}{' '}
        {error}
      </span>
    ),
  },
  { header: words.duration, place: 'how', render: ({ durationMs }) => words.ms(whole(durationMs)), isNumber: true },
  {
    header: words.firstBytes,
    place: 'what',
    render: ({ answer }) => <span className="breakable">{answer || '–'}</span>,
  },
]
