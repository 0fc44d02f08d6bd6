import { Anchor, Group, Text } from '@mantine/core'
import { Link } from 'wouter'
import { secondMs } from '../../../../base/durations.ts'
import { hasFailed, isUncertain } from '../../../../message/statuses.ts'
import { useWorkspace } from '../../app/session.tsx'
import { span } from '../../components/numbers.ts'
import { StatusBadge } from '../../components/StatusBadge.tsx'
import { translated } from '../../texts/said.ts'
import { texts } from '../../texts/texts.ts'
import { MessageStatusBadge } from './MessageStatus.tsx'
import { useMessage } from './queries.ts'

const words = texts.messages

/** What happens to a message on its way, as its timeline says it. */
const steps = [
  ['SENT', 'accepted'],
  ['DELIVERED', 'delivered'],
  ['READ', 'read'],
] as const

/** How far a message has come, while somebody looks on, with the way to it. */
export function MessageProgress({ messageId }: { messageId: string }) {
  const { id: workspaceId } = useWorkspace()
  const { data } = useMessage(messageId)
  if (!data) return null
  const { message, timeline, failure } = data
  const at = (event: string) => timeline.find(entry => entry.event === event)?.at
  // Who has read it has it, whatever the platform said of the delivery.
  const reached = steps.findLastIndex(([, event]) => at(event) !== undefined)
  const [status, event] = steps[reached] ?? []
  // The platform says whole seconds.
  const seconds = Math.ceil(Math.max(1, (Date.parse(at(event ?? '') ?? '') - Date.parse(message.createdAt)) / secondMs))
  const hasStopped = hasFailed(message.status) || isUncertain(message.status)
  return (
    <Group gap="xs">
      {hasStopped ? (
        <MessageStatusBadge status={message.status} />
      ) : (
        steps.map(([name], place) => (
          <StatusBadge key={name} tone={place <= reached ? 'good' : 'quiet'}>
            {words.statuses[name]}
          </StatusBadge>
        ))
      )}
      <Text span size="sm">
        {hasStopped
          ? failure && translated(failure.explanation?.meaning ?? failure.reason)
          : status && `${words.reachedAfter(words.statuses[status], span(seconds))} ·`}{' '}
        <Anchor component={Link} href={`/w/${workspaceId}/messages/${messageId}`}>
          {words.openIt}
        </Anchor>
      </Text>
    </Group>
  )
}
