import { Anchor, Code, List, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { useWorkspace } from '../../app/session.tsx'
import { useWorkspaceQuery } from '../../app/workspaceData.ts'
import { CodeBlock } from '../../components/CodeBlock.tsx'
import { type Column, DataTable } from '../../components/DataTable.tsx'
import { Hint } from '../../components/Hint.tsx'
import { Loaded, Placeholder } from '../../components/Loaded.tsx'
import { PageHeader } from '../../components/PageHeader.tsx'
import { Section } from '../../components/Section.tsx'
import { StatusBadge } from '../../components/StatusBadge.tsx'
import { texts } from '../../texts/texts.ts'
import { WorkspaceSection } from './WorkspaceSection.tsx'

const words = texts.settings

const useSettings = () => useWorkspaceQuery(['settings'], routes => routes.settings.get())
type Setting = NonNullable<ReturnType<typeof useSettings>['data']>['gateway'][number]

const columns: readonly Column<Setting>[] = [
  { header: words.setting, place: 'who', render: ({ name }) => <Code>{name}</Code> },
  {
    header: words.value,
    place: 'when',
    render: ({ value }) => (
      <Text span inherit fw={500} c="var(--mantine-color-text)" className="breakable" style={{ whiteSpace: 'normal' }}>
        {value}
      </Text>
    ),
  },
  {
    header: words.source,
    place: 'how',
    render: ({ isSet }) => (
      <StatusBadge tone={isSet ? 'busy' : 'quiet'}>{isSet ? words.environment : words.fallback}</StatusBadge>
    ),
  },
  { header: words.purpose, place: 'what', render: ({ purpose }) => purpose },
]

const sandboxCommands = [
  'waypost sandbox',
  'CHANNEL_API_URL=http://127.0.0.1:8090 DATA_DIR=./staging waypost serve',
].join('\n')

/** What is set for the workspace and for the gateway, with its source. */
export function SettingsPage() {
  const { id: workspaceId, can } = useWorkspace()
  const settings = useSettings()
  return (
    <>
      <PageHeader title={words.title} description={words.description} />
      <Loaded query={settings} waiting={<Placeholder h={240} isNamed={false} />}>
        {data => (
          <>
            <WorkspaceSection workspace={data.workspace} />
            {can('admin') && (
              <Section title={words.elsewhere} hint={words.elsewhereHint}>
                <List spacing="xs" size="sm">
                  <Place to={`/w/${workspaceId}/channels`}>{words.linePace}</Place>
                  <Place to={`/w/${workspaceId}/api-keys`}>{words.keyLimits}</Place>
                  <Place to={`/w/${workspaceId}/members`}>{words.members}</Place>
                </List>
              </Section>
            )}
            <Section title={words.sandbox}>
              <Stack gap="xs">
                <Text size="sm">{data.isSandbox ? words.isSandbox : words.isLive}</Text>
                {!data.isSandbox && (
                  <>
                    <Hint>{words.sandboxHint}</Hint>
                    <CodeBlock text={sandboxCommands} what={words.sandboxCommand} />
                  </>
                )}
              </Stack>
            </Section>
            <Section title={words.gateway} hint={words.gatewayHint}>
              <DataTable
                label={words.gateway}
                columns={columns}
                rows={data.gateway}
                keyOf={({ name }) => name}
                empty={null}
              />
            </Section>
          </>
        )}
      </Loaded>
    </>
  )
}

const Place = ({ to, children }: { to: string; children: ReactNode }) => (
  <List.Item>
    <Anchor component={Link} href={to} size="sm">
      {children}
    </Anchor>
  </List.Item>
)
