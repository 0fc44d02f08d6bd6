import { Anchor, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { Link } from 'wouter'
import { Hint } from '../../components/Hint.tsx'
import { whole } from '../../components/numbers.ts'
import { texts } from '../../texts/texts.ts'
import type { Overview } from './queries.ts'

const words = texts.overview

/** Why messages failed, in words, most first. */
export function Failures({ workspaceId, failures }: { workspaceId: string; failures: Overview['failures'] }) {
  return (
    <Paper withBorder p="md" component="section" h="100%">
      <Group justify="space-between" mb="sm">
        <Title order={2} size="h3">
          {words.failures}
        </Title>
        {failures.length > 0 && (
          <Anchor component={Link} href={`/w/${workspaceId}/messages?status=FAILED`} size="sm">
            {words.failureShow}
          </Anchor>
        )}
      </Group>
      {failures.length === 0 && <Hint>{words.noFailures}</Hint>}
      <Stack gap="sm" component="ul" className="plain-list">
        {failures.map(({ code, reason, count, meaning, remedy }) => (
          <li key={reason}>
            <Group gap="sm" wrap="nowrap" align="flex-start">
              <Text size="sm" fw={650} miw="3.5rem" ta="right">
                {words.failureCount(whole(count))}
              </Text>
              <div>
                <Text size="sm" className="breakable">
                  {meaning ?? (reason === '' ? words.unnamedCause : reason)}{' '}
                  {code !== null && (
                    <Text span c="dimmed" inherit>
                      ({code})
                    </Text>
                  )}
                </Text>
                {remedy && <Hint>{remedy}</Hint>}
              </div>
            </Group>
          </li>
        ))}
      </Stack>
    </Paper>
  )
}
