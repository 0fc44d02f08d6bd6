import { Anchor, Stack, Text } from '@mantine/core'
import { Link } from 'wouter'
import { lineName } from '../../../../base/direction.ts'
import { useWorkspace } from '../../app/session.tsx'
import { Hint } from '../../components/Hint.tsx'
import { Section } from '../../components/Section.tsx'
import { Time } from '../../components/Time.tsx'
import { texts } from '../../texts/texts.ts'
import { CallbackBadge, LineHealthView } from '../channels/ChannelHealth.tsx'
import type { Overview } from './queries.ts'

const words = texts.overview

/** Whether lines can send, by what their last sends met, and whether callbacks come. */
export function Health({ overview: { lines, channels } }: { overview: Overview }) {
  const { id: workspaceId } = useWorkspace()
  return (
    <Section title={words.health} hint={words.healthHint}>
      {lines.length === 0 && <Hint>{words.noLines}</Hint>}
      <Stack gap="md" component="ul" className="plain-list">
        {lines.map(line => (
          <li key={line.id} className="fact-row">
            <div>
              <Anchor component={Link} href={`/w/${workspaceId}/channels/${line.channelId}#lines`} size="sm" fw={500}>
                <bdi>{lineName(line)}</bdi>
              </Anchor>
              {line.isDefault && <Hint>{words.standard}</Hint>}
            </div>
            <LineHealthView {...line} />
          </li>
        ))}
        {channels.map(({ id, accountId, callbacks }) => (
          <li key={id} className="fact-row">
            <div>
              <Anchor component={Link} href={`/w/${workspaceId}/channels/${id}#callbacks`} size="sm" fw={500}>
                {words.callbacks}
              </Anchor>
              <Hint>
                <span className="breakable">{accountId}</span>
              </Hint>
            </div>
            <div>
              <CallbackBadge callbacks={callbacks} />
              {callbacks.acceptedAt && (
                <Text size="sm" c="dimmed">
                  {words.lastCallback} <Time at={callbacks.acceptedAt} precision="relative" />
                </Text>
              )}
            </div>
          </li>
        ))}
      </Stack>
    </Section>
  )
}
