import { Anchor, Text } from '@mantine/core'
import { Link } from 'wouter'
import { hasFailed } from '../../../../message/statuses.ts'
import { useWorkspace } from '../../app/session.tsx'
import { Hint } from '../../components/Hint.tsx'
import { StatusBadge, type Tone } from '../../components/StatusBadge.tsx'
import { Time } from '../../components/Time.tsx'
import { translated } from '../../texts/said.ts'
import { texts } from '../../texts/texts.ts'
import { messagesPath } from '../messages/queries.ts'
import type { ListedChannel, ListedLine } from './queries.ts'

const words = texts.channels.health

const lineTones = { works: 'good', fails: 'bad', quiet: 'quiet' } as const satisfies Record<
  ListedLine['health']['state'],
  Tone
>

/** Whether a line works: what its last sends met. */
export const LineHealthView = (line: Line) => (
  <div>
    <LineBadge {...line} />
    <LineSends {...line} />
  </div>
)
type Line = Pick<ListedLine, 'id' | 'active' | 'health'>

export function LineBadge({ active, health: { state, cause } }: Line) {
  if (!active) return <StatusBadge tone="quiet">{texts.channels.inactive}</StatusBadge>
  if (state === 'works' && cause) return <StatusBadge tone="warning">{words.someFail}</StatusBadge>
  return <StatusBadge tone={lineTones[state]}>{words[state]}</StatusBadge>
}

/** Why a line fails, and when something of it was delivered. */
export function LineSends({ id, health: { failed, sent, cause, deliveredAt } }: Line) {
  const { id: workspaceId } = useWorkspace()
  return (
    <>
      {cause && (
        <Text size="sm" c="var(--mantine-color-text)">
          {words.failed(failed, sent)}{' '}
          <Anchor
            component={Link}
            href={messagesPath(workspaceId, {
              status: hasFailed.statuses.join(),
              line: id,
              ...(cause.cause && { cause: cause.cause }),
            })}
            size="sm"
            underline="always"
          >
            {translated(cause.words) || texts.overview.unnamedCause}
          </Anchor>
        </Text>
      )}
      {deliveredAt !== null && (
        <Hint>
          {words.delivered} <Time at={deliveredAt} precision="relative" />
        </Hint>
      )}
    </>
  )
}

const callbackTones: Readonly<Record<ListedChannel['callbacks']['state'], Tone>> = {
  none: 'warning',
  accepted: 'good',
  refused: 'bad',
}

/** How the last callback ended. */
export const CallbackBadge = ({ callbacks: { state } }: { callbacks: Pick<ListedChannel['callbacks'], 'state'> }) => (
  <StatusBadge tone={callbackTones[state]}>{texts.channels.callbackStates[state]}</StatusBadge>
)
