import { Group, Stack, Text } from '@mantine/core'
import { Hint } from '../../components/Hint.tsx'
import { Section } from '../../components/Section.tsx'
import { StatusBadge } from '../../components/StatusBadge.tsx'
import { Time } from '../../components/Time.tsx'
import { texts } from '../../texts/texts.ts'
import type { Overview } from './queries.ts'

const words = texts.overview

const tones = { accepted: 'good', none: 'warning', refused: 'bad' } as const

/** Whether lines can send, and whether callbacks come. */
export function Health({ overview: { lines, channels } }: { overview: Overview }) {
  const isRefused = (channelId: string) => channels.some(({ id, isTokenRefused }) => id === channelId && isTokenRefused)
  return (
    <Section title={words.health}>
      {lines.length === 0 && <Hint>{words.noLines}</Hint>}
      <Stack gap="sm" component="ul" className="plain-list">
        {lines.map(({ id, number, channelId, active, isDefault }) => (
          <li key={id}>
            <Group justify="space-between">
              <Text size="sm">
                {words.line} {number}
              </Text>
              <Group gap="xs">
                {isDefault && <StatusBadge tone="quiet">{words.standard}</StatusBadge>}
                {active && isRefused(channelId) ? (
                  <StatusBadge tone="bad">{words.tokenRefused}</StatusBadge>
                ) : (
                  <StatusBadge tone={active ? 'good' : 'quiet'}>{active ? words.active : words.inactive}</StatusBadge>
                )}
              </Group>
            </Group>
          </li>
        ))}
        {channels.map(({ id, accountId, callbacks }) => (
          <li key={id}>
            <Group justify="space-between">
              <Text size="sm" className="breakable">
                {words.callbacks} · {accountId}
              </Text>
              <StatusBadge tone={tones[callbacks.state]}>{words.callbackStates[callbacks.state]}</StatusBadge>
            </Group>
            {callbacks.acceptedAt && (
              <Hint>
                {words.lastCallback}: <Time at={callbacks.acceptedAt} />
              </Hint>
            )}
          </li>
        ))}
      </Stack>
    </Section>
  )
}
