import { Button, Group } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { Link } from 'wouter'
import { lineName } from '../../../../base/direction.ts'
import { useWorkspace } from '../../app/session.tsx'
import { EmptyList } from '../../components/EmptyList.tsx'
import { Loaded, Placeholder } from '../../components/Loaded.tsx'
import { PageHeader } from '../../components/PageHeader.tsx'
import { Section } from '../../components/Section.tsx'
import { Time } from '../../components/Time.tsx'
import { texts } from '../../texts/texts.ts'
import { CallbackBadge } from './ChannelHealth.tsx'
import { LineTable } from './LineTable.tsx'
import { type ListedChannel, useChannels, useLines } from './queries.ts'

const words = texts.channels

/** The connected accounts, each with the numbers that messages are sent from. */
export function ChannelsPage() {
  const { id, can } = useWorkspace()
  const channels = useChannels()
  const connect = can('admin') && (
    <Button component={Link} href={`/w/${id}/channels/connect`} leftSection={<IconPlus size={16} />}>
      {words.connect}
    </Button>
  )
  return (
    <>
      <PageHeader title={words.title} description={<UnnamedLine />} actions={connect} />
      <Loaded query={channels} waiting={<Placeholder h={320} />}>
        {({ channels }) =>
          channels.length === 0 ? (
            <EmptyList
              title={words.noChannels}
              hint={can('admin') ? words.noChannelsHint : words.noChannelsViewer}
              action={connect}
            />
          ) : (
            channels.map(channel => <Account key={channel.id} channel={channel} />)
          )
        }
      </Loaded>
    </>
  )
}

function Account({ channel }: { channel: ListedChannel }) {
  const { id, accountId, createdAt } = channel
  const { id: workspaceId } = useWorkspace()
  const lines = useLines()
  const page = `/w/${workspaceId}/channels/${id}`
  const title = words.accountNamed(accountId)
  return (
    <Section
      title={title}
      hint={
        <Group gap="0 1rem">
          <span>
            {words.connected} <Time at={createdAt} precision="day" />
          </span>
          <Group gap="xs" wrap="nowrap">
            {words.callbacks}
            <CallbackBadge {...channel} />
          </Group>
        </Group>
      }
      actions={
        <Button component={Link} href={page} variant="default" size="xs" aria-label={`${words.manage}: ${title}`}>
          {words.manage}
        </Button>
      }
    >
      <LineTable
        rows={lines.data?.lines.filter(({ channelId }) => channelId === id)}
        query={lines}
        hrefOf={() => page}
      />
    </Section>
  )
}

/** Which line a send without a phoneNumberId uses. */
function UnnamedLine() {
  const { data } = useLines()
  if (!data || data.lines.length === 0) return words.description
  const used = data.lines.find(({ id }) => id === data.unnamedLineId)
  return used ? words.unnamed(lineName(used)) : words.unnamedNone
}
