import { Badge, Text } from '@mantine/core'
import { texts } from '../../texts/texts.ts'
import { useUnreadCount } from './queries.ts'

/** The gateway counts up to a hundred. */
const counted = (unread: number) => (unread > 99 ? '99+' : String(unread))

/** Above what nobody has read. */
export const UnreadBelow = ({ count }: { count: number }) => (
  <Text component="li" size="xs" fw={600} c="var(--mantine-color-anchor)" ta="center" data-unread-below>
    {texts.conversations.unread(counted(count))}
  </Text>
)

/** How many messages of a person nobody has read. Nothing when all are read. */
export function UnreadBadge({ unread }: { unread: number }) {
  if (unread === 0) return null
  const count = counted(unread)
  return (
    <Badge size="sm" circle={unread < 10} aria-label={texts.conversations.unread(count)} flex="none">
      {count}
    </Badge>
  )
}

/** How many conversations nobody has read; nothing when all are. */
export function UnreadMark() {
  const unread = useUnreadCount()
  if (unread === null) return null
  return (
    <Badge size="sm" circle={unread.length < 2} aria-label={texts.conversations.unreadConversations(unread)}>
      {unread}
    </Badge>
  )
}
