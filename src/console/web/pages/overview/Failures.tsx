import { Anchor, Group, Stack, Text } from '@mantine/core'
import { Link } from 'wouter'
import { hasFailed } from '../../../../message/statuses.ts'
import { Hint } from '../../components/Hint.tsx'
import { whole } from '../../components/numbers.ts'
import { Section } from '../../components/Section.tsx'
import { translated } from '../../texts/said.ts'
import { texts } from '../../texts/texts.ts'
import { messagesPath } from '../messages/queries.ts'
import { type Overview, sinceDays } from './queries.ts'

const words = texts.overview

/** Why messages failed, in words, most first. */
export function FailureList({ workspaceId, overview }: { workspaceId: string; overview: Overview }) {
  const { failures, days } = overview
  const list = (cause: string) =>
    messagesPath(workspaceId, { status: hasFailed.statuses.join(), ...(cause && { cause }), ...sinceDays(days) })
  const all = (
    <Anchor component={Link} href={list('')} size="sm">
      {words.failureShow}
    </Anchor>
  )
  return (
    <Section title={words.failures} actions={failures.length > 0 && all}>
      {failures.length === 0 && <Hint>{words.noFailures}</Hint>}
      <Stack gap="sm" component="ul" className="plain-list">
        {failures.map(({ code, reason, count, meaning, remedy }) => (
          <li key={reason}>
            <Group gap="sm" wrap="nowrap" align="baseline">
              <Anchor
                component={Link}
                href={list(reason)}
                aria-label={`${words.failureCount(whole(count))} ${translated(meaning ?? reason)}`}
                size="sm"
                fw={650}
                miw="2rem"
              >
                {words.failureCount(whole(count))}
              </Anchor>
              <Stack gap={4}>
                <Text size="sm" className="breakable">
                  {translated(meaning ?? '') || (reason === '' ? words.unnamedCause : reason)}{' '}
                  {code !== null && (
                    <Text span c="dimmed" inherit>
                      ({code})
                    </Text>
                  )}
                </Text>
                {remedy && <Hint>{translated(remedy)}</Hint>}
              </Stack>
            </Group>
          </li>
        ))}
      </Stack>
    </Section>
  )
}
