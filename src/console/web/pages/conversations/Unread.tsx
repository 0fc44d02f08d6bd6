import { Badge } from '@mantine/core'
import { texts } from '../../texts/texts.ts'
import { useUnreadCount } from './queries.ts'

/** How many messages of a person nobody has read; the gateway counts up to a hundred. Nothing when all are read. */
export function UnreadBadge({ unread }: { unread: number }) {
  if (unread === 0) return null
  const count = unread > 99 ? '99+' : String(unread)
  return (
    <Badge
      size="sm"
      circle={unread < 10}
      aria-label={texts.conversations.unread(count)}
      style={{ flexShrink: 0, justifySelf: 'end' }}
    >
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
