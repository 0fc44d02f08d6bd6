import { Badge } from '@mantine/core'
import { texts } from '../../texts/texts.ts'
import { useUnreadCount } from './queries.ts'

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
