import { Group, Text } from '@mantine/core'
import { lineName } from '../../../../base/direction.ts'
import { CopyId } from '../../components/CopyButton.tsx'
import { actionColumn, type Column, DataTable, type DataTableProps } from '../../components/DataTable.tsx'
import { EmptyList } from '../../components/EmptyList.tsx'
import { Hint } from '../../components/Hint.tsx'
import { StatusBadge } from '../../components/StatusBadge.tsx'
import { texts } from '../../texts/texts.ts'
import { LineBadge, LineSends } from './ChannelHealth.tsx'
import { LineMenu } from './LineMenu.tsx'
import { type CheckedNumber, factsOf, type ListedLine } from './queries.ts'

const words = texts.channels

const paceOf = ({ perSecond, pairSeconds }: ListedLine) => `${words.perSecond(perSecond)}, ${words.pair(pairSeconds)}`

/**
 * The numbers that messages are sent from, with the actions on each.
 * @param props.numbers what the platform says of them now; of others it is shown what it said last
 */
export function LineTable(
  props: Pick<DataTableProps<ListedLine>, 'rows' | 'query' | 'hrefOf'> & { numbers?: readonly CheckedNumber[] },
) {
  const { numbers = [], ...table } = props
  const facts = (line: ListedLine) =>
    factsOf(numbers.find(({ lineId }) => lineId === line.id) ?? line) || words.qualityUnknown
  const columns: readonly Column<ListedLine>[] = [
    {
      header: words.number,
      place: 'who',
      render: line => (
        <>
          <Group gap={6}>
            <Text span inherit fw={600}>
              <bdi>{lineName(line)}</bdi>
            </Text>
            {line.isDefault && <StatusBadge tone="busy">{words.default}</StatusBadge>}
            {line.directSend && <StatusBadge tone="busy">{words.directSend}</StatusBadge>}
          </Group>
          <Text size="xs" c="dimmed" className="off-telephone line-facts">
            {facts(line)}
          </Text>
        </>
      ),
    },
    { header: words.state, place: 'when', render: line => <LineBadge {...line} /> },
    {
      header: words.lately,
      place: 'more',
      render: line => (
        <>
          <span className="on-telephone">
            <Hint>{facts(line)}</Hint>
          </span>
          <LineSends {...line} />
          <span className="on-telephone on-tablet">
            <Hint>{paceOf(line)}</Hint>
          </span>
        </>
      ),
    },
    { header: words.pace, render: paceOf },
    { header: words.phoneNumberId, render: ({ id }) => <CopyId id={id} what={words.phoneNumberId} /> },
    actionColumn(line => <LineMenu line={line} />),
  ]
  return (
    <DataTable
      {...table}
      label={words.lines}
      columns={columns}
      keyOf={line => line.id}
      empty={<EmptyList title={words.noLines} hint={words.noLinesHint} />}
    />
  )
}
