import { Code, Stack, Text } from '@mantine/core'
import { useLocation, useParams } from 'wouter'
import { answerOf } from '../../api/client.ts'
import { useWorkspace } from '../../app/session.tsx'
import { useWorkspaceQuery, useWorkspaceRoutes } from '../../app/workspaceData.ts'
import { ConfirmButton } from '../../components/ConfirmDialog.tsx'
import { CopyId } from '../../components/CopyButton.tsx'
import { type Column, DataTable } from '../../components/DataTable.tsx'
import { Loaded, Placeholder } from '../../components/Loaded.tsx'
import { PageHeader } from '../../components/PageHeader.tsx'
import { Section } from '../../components/Section.tsx'
import { Time } from '../../components/Time.tsx'
import { channel as words } from '../../texts/en/channel.ts'
import { texts } from '../../texts/texts.ts'
import { AccessSection } from './AccessSection.tsx'
import { CallbackSection } from './CallbackSection.tsx'
import { LineSection } from './LineSection.tsx'
import { type ListedChannel, useCheck } from './queries.ts'

/** One channel: whether it works, its lines, its callbacks, and what the platform has said of the account. */
export function ChannelPage() {
  const { channelId = '' } = useParams<{ readonly channelId: string }>()
  const { id: workspaceId, can } = useWorkspace()
  const channel = useWorkspaceQuery(['channel', channelId], routes => routes.channels({ channelId }).get())
  const check = useCheck(channelId, can('admin'))
  const back = { to: `/w/${workspaceId}/channels`, label: texts.channels.title }
  const heading = <PageHeader title={texts.channels.channel} back={back} />
  return (
    <Loaded query={channel} heading={heading} waiting={<Placeholder h={320} />}>
      {data => (
        <>
          <PageHeader
            title={texts.channels.accountNamed(data.accountId)}
            back={back}
            description={<CopyId id={data.id} what={texts.channels.channel} />}
          />
          {can('admin') && <AccessSection channel={data} check={check} />}
          <LineSection channelId={data.id} numbers={check.data?.account.numbers ?? []} />
          <CallbackSection channel={data} />
          {data.updates.length > 0 && <Updates updates={data.updates} />}
          {can('admin') && <Disconnect channel={data} />}
        </>
      )}
    </Loaded>
  )
}

function Disconnect({ channel }: { channel: ListedChannel }) {
  const { workspaceId, routes, refresh } = useWorkspaceRoutes()
  const [, navigate] = useLocation()
  async function disconnect() {
    await answerOf(routes.channels({ channelId: channel.id }).delete())
    navigate(`/w/${workspaceId}/channels`)
    await refresh()
  }
  return (
    <Section
      title={words.disconnect}
      hint={words.disconnectHint}
      actions={
        <ConfirmButton
          label={words.disconnectTitle}
          button={{ size: 'xs', variant: 'default', c: 'red' }}
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
      }
    />
  )
}

type Update = ListedChannel['updates'][number]

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
const Updates = ({ updates }: Pick<ListedChannel, 'updates'>) => (
  <Section title={texts.channels.updates} anchor="updates">
    <DataTable
      label={texts.channels.updates}
      columns={updateColumns}
      rows={updates}
      keyOf={({ kind, at }) => kind + at}
      empty={null}
    />
  </Section>
)
