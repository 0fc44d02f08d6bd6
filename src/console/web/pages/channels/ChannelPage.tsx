import { Button, Group, Skeleton, Stack, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation, useParams } from 'wouter'
import { answerOf, api } from '../../api/client.ts'
import { useWorkspace } from '../../app/session.tsx'
import { ConfirmDialog } from '../../components/ConfirmDialog.tsx'
import { CopyId } from '../../components/CopyId.tsx'
import { ErrorView } from '../../components/ErrorView.tsx'
import { PageHeader } from '../../components/PageHeader.tsx'
import { Section } from '../../components/Section.tsx'
import { texts } from '../../texts/texts.ts'
import { CallbackSection } from './CallbackSection.tsx'
import { ChannelCheck } from './ChannelCheck.tsx'
import { ChannelUpdates } from './ChannelUpdates.tsx'
import { LineTable } from './LineTable.tsx'
import { type Channel, useLines } from './queries.ts'
import { SecretSection } from './SecretSection.tsx'

const words = texts.channel

/** One channel: whether it works, its callbacks, lines and secrets. */
export function ChannelPage() {
  const { channelId = '' } = useParams<{ readonly channelId: string }>()
  const { id: workspaceId, can } = useWorkspace()
  const channel = useQuery({
    queryKey: ['workspace', workspaceId, 'channel', channelId],
    queryFn: () => answerOf(api.workspaces({ workspaceId }).channels({ channelId }).get()),
  })
  const lines = useLines()
  const back = { to: `/w/${workspaceId}/channels`, label: texts.channels.title }
  if (!channel.data) {
    return (
      <>
        <PageHeader title={texts.channels.channel} back={back} />
        {channel.error ? (
          <ErrorView error={channel.error} onRetry={() => void channel.refetch()} />
        ) : (
          <Skeleton h={320} role="status" aria-label={texts.common.loading} />
        )}
      </>
    )
  }
  const { data } = channel
  return (
    <>
      <PageHeader
        title={words.title(data.accountId)}
        back={back}
        description={<CopyId id={data.id} what={texts.channels.channel} />}
      />
      {can('admin') && <ChannelCheck channelId={data.id} />}
      <CallbackSection channel={data} />
      <Section title={texts.channels.lines}>
        <LineTable
          rows={lines.data?.lines.filter(line => line.channelId === data.id)}
          error={lines.error}
          onRetry={() => void lines.refetch()}
        />
      </Section>
      <ChannelUpdates updates={data.updates} />
      {can('admin') && <SecretSection channel={data} />}
      {can('admin') && <DisconnectSection channel={data} />}
    </>
  )
}

function DisconnectSection({ channel }: { channel: Channel }) {
  const { id: workspaceId } = useWorkspace()
  const [isOpen, setOpen] = useState(false)
  const [, navigate] = useLocation()
  const queries = useQueryClient()
  async function disconnect() {
    await answerOf(api.workspaces({ workspaceId }).channels({ channelId: channel.id }).delete())
    navigate(`/w/${workspaceId}/channels`)
    await queries.invalidateQueries({ queryKey: ['workspace', workspaceId] })
  }
  return (
    <Section title={words.disconnectTitle} hint={words.disconnectHint}>
      <Group>
        <Button color="red" variant="outline" onClick={() => setOpen(true)}>
          {words.disconnect}
        </Button>
      </Group>
      <ConfirmDialog
        opened={isOpen}
        onClose={() => setOpen(false)}
        title={words.disconnect}
        confirmLabel={words.disconnectTitle}
        onConfirm={disconnect}
        typed={channel.accountId}
      >
        <Stack gap="xs">
          <Text size="sm">{words.disconnectHint}</Text>
          <Text size="sm">{words.disconnectQuestion}</Text>
        </Stack>
      </ConfirmDialog>
    </Section>
  )
}
