import { Button, Group, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { answerOf } from '../../api/client.ts'
import { useWorkspaceRoutes } from '../../app/workspaceData.ts'
import { ErrorView } from '../../components/ErrorView.tsx'
import { Facts } from '../../components/Facts.tsx'
import { Loaded } from '../../components/Loaded.tsx'
import { byteSize } from '../../components/numbers.ts'
import { PageHeader } from '../../components/PageHeader.tsx'
import { Section } from '../../components/Section.tsx'
import { WithCode } from '../../components/WithCode.tsx'
import { gateway as words } from '../../texts/en/gateway.ts'
import { texts } from '../../texts/texts.ts'
import { BackupSection } from './Backups.tsx'
import { Findings, FindingsSummary, type GatewayState, useGateway } from './Findings.tsx'

/** Whether all is in order: what the doctor finds, where the overview tells the same in brief, and the backups. */
export function GatewayPage() {
  const gateway = useGateway()
  return (
    <>
      <PageHeader title={texts.shell.titles.gateway} description={words.description} />
      <Loaded query={gateway}>{state => <Shown state={state} />}</Loaded>
    </>
  )
}

function Shown({ state }: { state: GatewayState }) {
  const { version, engine, database, files } = state
  const { routes } = useWorkspaceRoutes()
  const check = useMutation({ mutationFn: () => answerOf(routes.gateway.check.post()) })
  const channels = check.data?.channels ?? state.channels
  return (
    <div className="halves">
      <div>
        <Section
          title={words.findings}
          hint={<WithCode text={words.findingsHint} code={/(waypost doctor)/} />}
          actions={<FindingsSummary findings={state.gateway} />}
        >
          <Findings findings={state.gateway} />
        </Section>
        <BackupSection engine={engine} backups={state.backups} />
      </div>
      <div>
        <Section
          title={words.channels}
          hint={words.channelsHint}
          actions={
            <Group gap="xs">
              <FindingsSummary findings={channels} />
              <Button variant="default" size="xs" loading={check.isPending} onClick={() => check.mutate()}>
                {words.check}
              </Button>
            </Group>
          }
        >
          <Stack gap="sm">
            <div aria-live="polite">
              <Findings findings={channels} />
              {check.data && (
                <Text size="sm" c="dimmed" mt="xs">
                  {words.checked}
                </Text>
              )}
            </div>
            {check.error && <ErrorView error={check.error} />}
          </Stack>
        </Section>
        <Section title={words.facts}>
          <Facts
            facts={[
              [words.version, version],
              [words.database, database ? words.fileSize(byteSize(database.bytes)) : words.engines[engine]],
              [
                words.files,
                words.filesOf(files.bytes === null ? null : byteSize(files.bytes), byteSize(files.bytesMax)),
              ],
            ]}
          />
        </Section>
      </div>
    </div>
  )
}
