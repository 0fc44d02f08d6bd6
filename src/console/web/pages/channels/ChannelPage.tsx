import { Code, Group, Stack, Text } from '@mantine/core'
import { useLocation, useParams } from 'wouter'
import { answerOf } from '../../api/client.ts'
import { useWorkspace } from '../../app/session.tsx'
import { useWorkspaceQuery, useWorkspaceRoutes } from '../../app/workspaceData.ts'
import { ConfirmButton } from '../../components/ConfirmButton.tsx'
import { CopyId } from '../../components/CopyId.tsx'
import { type Column, DataTable } from '../../components/DataTable.tsx'
import { Hint } from '../../components/Hint.tsx'
import { Loaded, Placeholder } from '../../components/Loaded.tsx'
import { PageHeader } from '../../components/PageHeader.tsx'
import { Section } from '../../components/Section.tsx'
import { Time } from '../../components/Time.tsx'
import { channel as words } from '../../texts/en/channel.ts'
import { texts } from '../../texts/texts.ts'
import { CallbackSection } from './CallbackSection.tsx'
import { ChannelCheck } from './ChannelCheck.tsx'
import { LineTable } from './LineTable.tsx'
import { type Channel, useLines } from './queries.ts'
import { SecretSection } from './SecretSection.tsx'

/** One channel: whether it works, its callbacks, lines and secrets. */
export function ChannelPage() {
  const { channelId = '' } = useParams<{ readonly channelId: string }>()
  const { id: workspaceId, can } = useWorkspace()
  const channel = useWorkspaceQuery(['channel', channelId], routes => routes.channels({ channelId }).get())
  const lines = useLines()
  const back = { to: `/w/${workspaceId}/channels`, label: texts.channels.title }
  const heading = <PageHeader title={texts.channels.channel} back={back} />
  return (
    <Loaded query={channel} heading={heading} waiting={<Placeholder h={320} />}>
      {data => (
        <>
          <PageHeader
            title={words.title(data.accountId)}
            back={back}
            description={<CopyId id={data.id} what={texts.channels.channel} />}
          />
          {can('admin') && <ChannelCheck channelId={data.id} />}
          <CallbackSection channel={data} />
          <Section title={texts.channels.lines} anchor="lines">
            <LineTable rows={lines.data?.lines.filter(line => line.channelId === data.id)} query={lines} />
          </Section>
          <ChannelUpdates updates={data.updates} />
          {can('admin') && <SecretSection channel={data} />}
          {can('admin') && <DisconnectSection channel={data} />}
        </>
      )}
    </Loaded>
  )
}

function DisconnectSection({ channel }: { channel: Channel }) {
  const { workspaceId, routes, refresh } = useWorkspaceRoutes()
  const [, navigate] = useLocation()
  async function disconnect() {
    await answerOf(routes.channels({ channelId: channel.id }).delete())
    navigate(`/w/${workspaceId}/channels`)
    await refresh()
  }
  return (
    <Section title={words.disconnectTitle} hint={words.disconnectHint}>
      <Group>
        <ConfirmButton
          label={words.disconnect}
          button={{ color: 'red', variant: 'outline' }}
          title={words.disconnect}
          confirmLabel={words.disconnectTitle}
          onConfirm={disconnect}
          typed={channel.accountId}
        >
          <Stack gap="xs">
            <Text size="sm">{words.disconnectHint}</Text>
            <Text size="sm">{words.disconnectQuestion}</Text>
          </Stack>
        </ConfirmButton>
      </Group>
    </Section>
  )
}

type Update = Channel['updates'][number]

const updateColumns: readonly Column<Update>[] = [
  { header: texts.common.time, place: 'when', render: ({ at }) => <Time at={at} precision="relative" /> },
  { header: texts.common.what, place: 'who', render: ({ kind }) => <Code>{kind}</Code> },
  {
    header: texts.common.details,
    place: 'more',
    render: ({ detail }) => (
      <Text size="sm" ff="monospace" className="breakable">
        {JSON.stringify(detail)}
      </Text>
    ),
  },
]

/** Updates of the account that no message asked for, as the platform words them. */
function ChannelUpdates({ updates }: Pick<Channel, 'updates'>) {
  return (
    <Section title={texts.channels.updates} anchor="updates">
      <DataTable
        label={texts.channels.updates}
        columns={updateColumns}
        rows={updates}
        keyOf={({ kind, at }) => kind + at}
        empty={<Hint>{texts.channels.noUpdates}</Hint>}
      />
    </Section>
  )
}
