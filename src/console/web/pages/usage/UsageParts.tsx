import { Progress, SegmentedControl, Text } from '@mantine/core'
import { withoutOne } from '../../../../message/words.ts'
import { useWorkspace } from '../../app/session.tsx'
import { type Column, DataTable } from '../../components/DataTable.tsx'
import { EmptyList } from '../../components/EmptyList.tsx'
import { share, whole } from '../../components/numbers.ts'
import { Section } from '../../components/Section.tsx'
import { Time } from '../../components/Time.tsx'
import { clockTime } from '../../components/times.ts'
import { useFilters } from '../../components/useFilters.ts'
import { texts } from '../../texts/texts.ts'
import { messagesPath, within } from '../messages/queries.ts'
import { useUsageParts } from './queries.ts'

const words = texts.usage.parts

/** What messages are counted by, and filtered by with the same ids. */
const kinds = ['line', 'template', 'key'] as const
type Kind = (typeof kinds)[number]
const isKind = (name: string): name is Kind => kinds.some(kind => kind === name)

/** Which lines, templates and keys the messages of a month were sent with. @param props.accepted how many there are */
export function UsageParts({ month, accepted }: { month: string; accepted: number }) {
  const [{ by }, change] = useFilters({ by: 'line' })
  const kind = isKind(by) ? by : 'line'
  const usage = useUsageParts(month)
  const { id: workspaceId } = useWorkspace()
  const messages = usage.data?.messages ?? 0
  const missing = accepted - messages
  type Part = NonNullable<typeof usage.data>[Kind][number]
  const nameOf = ({ id, name }: Part) => name ?? (id === '' ? words.none[kind] : kind === 'key' ? words.unnamed : id)
  const columns: readonly Column<Part>[] = [
    { header: words.one[kind], place: 'who', render: part => <bdi className="breakable">{nameOf(part)}</bdi> },
    {
      header: words.share,
      place: 'what',
      render: ({ count }) => (
        <Progress value={(count / messages) * 100} color="cyan.7" maw={320} aria-label={share(count / messages)} />
      ),
    },
    {
      ...{ header: texts.usage.messages, unit: texts.usage.unit, place: 'how', isNumber: true },
      render: ({ count }) => whole(count),
    },
    { header: words.ofAll, place: 'when', isNumber: true, render: ({ count }) => share(count / messages) },
  ]
  return (
    <Section
      title={words.title}
      anchor="parts"
      hint={
        usage.data &&
        messages > 0 && (
          <Text size="sm" span>
            {missing > 0 && `${words.missing(missing, whole(missing), whole(accepted))} `}
            {usage.data.countedUntil && (
              <>
                {words.counted} <Time at={usage.data.countedUntil} />.{' '}
              </>
            )}
            {words.next} <Time at={usage.data.nextCountAt} precision="clock" />. {words.hint}
          </Text>
        )
      }
      actions={
        <SegmentedControl
          aria-label={words.by}
          value={kind}
          onChange={value => change({ by: value })}
          data={kinds.map(value => ({ value, label: words.kinds[value] }))}
        />
      }
    >
      <DataTable
        label={words.kinds[kind]}
        columns={columns}
        rows={usage.data?.[kind]}
        keyOf={({ id }) => id}
        hrefOf={({ id }) => messagesPath(workspaceId, { [kind]: id || withoutOne, ...within(month, 'month') })}
        query={usage}
        empty={
          missing > 0 && usage.data ? (
            <EmptyList
              title={texts.apiKeys.notCounted}
              hint={`${words.hint} ${words.next} ${clockTime(new Date(usage.data.nextCountAt))}.`}
            />
          ) : (
            <EmptyList title={words.empty} />
          )
        }
      />
    </Section>
  )
}
