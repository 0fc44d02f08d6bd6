import { Code, Text } from '@mantine/core'
import { type Column, DataTable } from '../../components/DataTable.tsx'
import { Hint } from '../../components/Hint.tsx'
import { Section } from '../../components/Section.tsx'
import { Time } from '../../components/Time.tsx'
import { texts } from '../../texts/texts.ts'
import type { Channel } from './queries.ts'

const words = texts.channels
type Update = Channel['updates'][number]

const columns: readonly Column<Update>[] = [
  { header: texts.common.time, render: ({ at }) => <Time at={at} /> },
  { header: texts.common.what, render: ({ kind }) => <Code>{kind}</Code> },
  {
    header: texts.common.details,
    render: ({ detail }) => (
      <Text size="sm" ff="monospace" className="breakable">
        {JSON.stringify(detail)}
      </Text>
    ),
  },
]

/** Updates of the account that concern no message, in the platform's words. */
export function ChannelUpdates({ updates }: Pick<Channel, 'updates'>) {
  return (
    <Section title={words.updates}>
      <DataTable
        label={words.updates}
        columns={columns}
        rows={updates}
        keyOf={({ kind, at }) => kind + at}
        empty={<Hint>{words.noUpdates}</Hint>}
      />
    </Section>
  )
}
