import { Anchor, Group, Progress, Stack } from '@mantine/core'
import type { CSSProperties } from 'react'
import { Link } from 'wouter'
import { useWorkspace } from '../../app/session.tsx'
import { Hint } from '../../components/Hint.tsx'
import { StatusBadge, type Tone } from '../../components/StatusBadge.tsx'
import { Time } from '../../components/Time.tsx'
import { webhooks as words } from '../../texts/en/webhooks.ts'
import type { Attempt, ListedDelivery, Webhook } from './queries.ts'

const tones = { delivered: 'good', pending: 'warning', failed: 'bad' } as const satisfies Record<
  ListedDelivery['state'],
  Tone
>
const states = ['delivered', 'pending', 'failed'] as const

export const DeliveryBadge = ({ state }: Pick<ListedDelivery, 'state'>) => (
  <StatusBadge tone={tones[state]}>{words.deliveryStates[state]}</StatusBadge>
)

/** How the last deliveries of an endpoint stand. Each number opens the list that it counts, in its colour. */
export function Lately({ webhook: { id, state: isNow, lately } }: { webhook: Webhook }) {
  const { id: workspaceId } = useWorkspace()
  if (lately.length === 0) return <Hint>{words.noneLately}</Hint>
  const counted = states.map(state => ({
    state,
    count: lately.filter(one => one === state).length,
    // What waits at one that fails has failed.
    color: `var(--tone-${tones[state === 'pending' && isNow === 'failing' ? 'failed' : state]})`,
  }))
  const found = counted.filter(({ count }) => count > 0)
  return (
    <Stack gap={2} w="11rem" maw="100%">
      <Progress.Root size="sm" aria-hidden className="off-telephone">
        {found.map(({ state, count, color }) => (
          <Progress.Section key={state} value={(count / lately.length) * 100} color={color} />
        ))}
      </Progress.Root>
      <Group gap="xs" fz="xs">
        {found.map(({ state, count, color }) => (
          <Anchor
            key={state}
            component={Link}
            href={`/w/${workspaceId}/webhooks/${id}?state=${state}`}
            inherit
            c="inherit"
            className="sign-link toned"
            style={{ '--tone': color } as CSSProperties}
          >
            {words.latelyOf[state](count)}
          </Anchor>
        ))}
      </Group>
    </Stack>
  )
}

/** What came back, in a few words: the status, or why there is no whole answer. */
export const AttemptAnswer = ({ attempt: { status, error } }: { attempt: Attempt }) => (
  <span className="breakable">{[status, error].filter(part => part !== null).join(': ')}</span>
)

/** When it is tried next. An endpoint that is off gets nothing until it is on. */
export function NextAttempt({ delivery, webhook }: { delivery: Pick<ListedDelivery, 'nextAt'>; webhook: Webhook }) {
  if (delivery.nextAt === null) return '–'
  return webhook.state === 'off' ? words.whenOn : <Time at={delivery.nextAt} precision="relative" />
}
