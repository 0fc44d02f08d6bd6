import { Badge } from '@mantine/core'
import { texts } from '../../texts/texts.ts'
import { useUnreadCount } from './queries.ts'

/** How many conversations nobody has read; nothing when all are. */
export function UnreadMark() {
  const { unread = 0, isMore = false } = useUnreadCount().data ?? {}
  if (unread === 0) return null
  const shown = isMore ? `${unread}+` : String(unread)
  return (
    <Badge size="sm" circle={shown.length < 2} aria-label={texts.conversations.unreadConversations(shown)}>
      {shown}
    </Badge>
  )
}
