import { Button, Code, Group, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { CodeBlock } from '../../components/CodeBlock.tsx'
import { type Column, DataTable } from '../../components/DataTable.tsx'
import { Hint } from '../../components/Hint.tsx'
import { Loaded, Placeholder } from '../../components/Loaded.tsx'
import { PageHeader } from '../../components/PageHeader.tsx'
import { Section } from '../../components/Section.tsx'
import { StatusBadge } from '../../components/StatusBadge.tsx'
import { found } from '../../texts/found.ts'
import { capital, texts } from '../../texts/texts.ts'
import { OptOutSection } from './OptOutSection.tsx'
import { QuietHoursSection } from './QuietHoursSection.tsx'
import { RatesSection } from './RatesSection.tsx'
import { useSettings, WorkspaceSection, type WorkspaceSettings } from './WorkspaceSection.tsx'

const words = texts.settings

const columns: readonly Column<WorkspaceSettings['gateway'][number]>[] = [
  { header: words.setting, place: 'who', render: ({ name }) => <Code>{name}</Code> },
  {
    header: words.value,
    place: 'when',
    render: ({ value, isSet }) => (
      <Text span inherit fw={500} c="var(--mantine-color-text)" className="breakable" style={{ whiteSpace: 'normal' }}>
        {isSet ? value : found(value)}
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
  { header: words.purpose, place: 'what', render: ({ purpose }) => capital(found(purpose)) },
]

const sandboxCommands = [
  'waypost sandbox',
  'CHANNEL_API_URL=http://127.0.0.1:8090 DATA_DIR=./staging waypost serve',
].join('\n')

/** What is set for the workspace and for the gateway, with its source. */
export function SettingsPage() {
  const settings = useSettings()
  return (
    <>
      <PageHeader title={words.title} />
      <Loaded query={settings} waiting={<Placeholder h={240} isNamed={false} />}>
        {data => (
          <>
            {/* About as high as each other. */}
            <div className="halves section">
              <div>
                <WorkspaceSection workspace={data.workspace} />
                <QuietHoursSection quietHours={data.workspace.quietHours} />
              </div>
              <div>
                <OptOutSection {...data} />
                <RatesSection rates={data.rates} />
              </div>
            </div>
            <GatewaySection {...data} />
          </>
        )}
      </Loaded>
    </>
  )
}

/** What the operator has set; the defaults only when somebody asks for them. */
function GatewaySection({ gateway, isSandbox }: Pick<WorkspaceSettings, 'gateway' | 'isSandbox'>) {
  const [isWhole, all] = useDisclosure()
  return (
    <Section title={words.gateway} hint={words.gatewayHint}>
      <Stack gap="sm">
        <Text size="sm">{isSandbox ? words.isSandbox : words.isLive}</Text>
        <DataTable
          label={words.gateway}
          columns={columns}
          rows={gateway.filter(({ isSet }) => isSet || isWhole)}
          keyOf={({ name }) => name}
          empty={null}
        />
        <Group>
          <Button variant="default" size="xs" onClick={all.toggle} aria-expanded={isWhole}>
            {isWhole ? words.fewer : words.all(gateway.length)}
          </Button>
        </Group>
        {!isSandbox && (
          <>
            <Hint>{words.sandboxHint}</Hint>
            <CodeBlock text={sandboxCommands} what={words.sandboxCommand} />
          </>
        )}
      </Stack>
    </Section>
  )
}
