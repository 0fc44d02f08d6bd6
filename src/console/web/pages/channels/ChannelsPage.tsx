import { Button, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { Link } from 'wouter'
import { useWorkspace } from '../../app/session.tsx'
import { CopyId } from '../../components/CopyId.tsx'
import { type Column, DataTable } from '../../components/DataTable.tsx'
import { EmptyList } from '../../components/EmptyList.tsx'
import { PageHeader } from '../../components/PageHeader.tsx'
import { Section } from '../../components/Section.tsx'
import { Time } from '../../components/Time.tsx'
import { texts } from '../../texts/texts.ts'
import { CallbackBadge } from './CallbackBadge.tsx'
import { LineTable } from './LineTable.tsx'
import { type Channel, useChannels, useLines } from './queries.ts'

const words = texts.channels

const columns: readonly Column<Channel>[] = [
  { header: words.account, place: 'who', render: ({ accountId }) => accountId },
  { header: words.channel, place: 'what', render: ({ id }) => <CopyId id={id} what={words.channel} /> },
  { header: words.callbacks, place: 'how', render: channel => <CallbackBadge {...channel} /> },
  { header: words.connected, place: 'when', render: ({ createdAt }) => <Time at={createdAt} precision="day" /> },
]

/** The connected accounts and the numbers that messages are sent from. */
export function ChannelsPage() {
  const { id, can } = useWorkspace()
  const channels = useChannels()
  const lines = useLines()
  const connect = can('admin') && (
    <Button component={Link} href={`/w/${id}/channels/connect`} leftSection={<IconPlus size={16} />}>
      {words.connect}
    </Button>
  )
  return (
    <>
      <PageHeader title={words.title} description={words.description} actions={connect} />
      <Section title={words.channels}>
        <DataTable
          label={words.channels}
          columns={columns}
          rows={channels.data?.channels}
          keyOf={channel => channel.id}
          hrefOf={channel => `/w/${id}/channels/${channel.id}`}
          query={channels}
          empty={
            <EmptyList
              title={words.noChannels}
              hint={can('admin') ? words.noChannelsHint : words.noChannelsViewer}
              action={connect}
            />
          }
        />
      </Section>
      <Section title={words.lines} hint={<UnnamedLine />}>
        <LineTable rows={lines.data?.lines} query={lines} />
      </Section>
    </>
  )
}

/** Which line a send without a phoneNumberId uses. */
function UnnamedLine() {
  const { data } = useLines()
  if (!data || data.lines.length === 0) return null
  const used = data.lines.find(({ id }) => id === data.unnamedLineId)
  return <Text size="sm">{used ? words.unnamed(used.number) : words.unnamedNone}</Text>
}
