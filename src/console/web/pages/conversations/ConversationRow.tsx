import { Button, Text } from '@mantine/core'
import { IconBan } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { focusAnswer, keyed } from '../../app/keyboard.ts'
import { useAccount, useWorkspace } from '../../app/session.tsx'
import { Found } from '../../components/Found.tsx'
import { Initials, initialsOf } from '../../components/Initials.tsx'
import { Time } from '../../components/Time.tsx'
import { texts } from '../../texts/texts.ts'
import { addressBeside, contactName, isBlocked, type ListedContact } from '../contacts/queries.ts'
import { StatusTick } from './EntryView.tsx'
import { searchWith } from './hitQueries.ts'
import type { ListedConversation } from './queries.ts'
import { SaidBy } from './SaidBy.tsx'
import { UnreadBadge } from './Unread.tsx'

const words = texts.conversations

/** A person who wrote, with the last words of either side, and when they were said. */
export function ConversationRow(props: { conversation: ListedConversation; isChosen: boolean }) {
  const { conversation, isChosen } = props
  const { contact, unread, last, takenBy } = conversation
  const said = last.words ?? words.types[last.type]
  return (
    <PersonRow contact={contact} isChosen={isChosen} isUnread={unread > 0 && !isChosen}>
      <span className="conversation-when">
        {isBlocked(contact) && (
          <IconBan size={16} color="var(--mantine-color-error)" role="img" aria-label={texts.contacts.blocked} />
        )}
        {takenBy && <Taker {...takenBy} />}
        <Text span size="xs" c="dimmed">
          <Time at={last.at} precision="relative" />
        </Text>
      </span>
      <Text span size="sm" className="with-icon" c={unread > 0 && !isChosen ? undefined : 'dimmed'}>
        {last.status && <StatusTick status={last.status} label={texts.messages.statuses[last.status]} />}
        {last.isOurs && <SaidBy by={last.by} isTemplate={last.type === 'template'} isShort />}{' '}
        <span className="one-line" dir="auto">
          {said}
        </span>
        {/* The thread tells it of the chosen one. */}
        {!isChosen && <UnreadBadge unread={unread} />}
      </Text>
    </PersonRow>
  )
}

/** A person who never wrote. */
export const ContactRow = ({ contact, isChosen }: { contact: ListedContact; isChosen: boolean }) => (
  <PersonRow contact={contact} isChosen={isChosen} isUnread={false}>
    <Text span size="sm" c="dimmed" className="hit-words">
      <bdi>
        <Found text={addressBeside(contact) ?? ''} />
      </bdi>
    </Text>
  </PersonRow>
)

function PersonRow(props: {
  contact: ListedConversation['contact']
  isChosen: boolean
  isUnread: boolean
  children: ReactNode
}) {
  const { contact, isChosen, isUnread, children } = props
  const { id: workspaceId, can } = useWorkspace()
  return (
    <li>
      <Link
        href={`/w/${workspaceId}/conversations/${contact.id}${searchWith(window.location.search)}`}
        className="conversation-row"
        data-row-link
        {...(isUnread && keyed('n'))}
        aria-current={isChosen ? 'true' : undefined}
        onClick={event => {
          // By a key, once more: to write.
          if (isChosen && event.detail === 0 && focusAnswer()) event.preventDefault()
        }}
      >
        <Initials id={contact.id} name={contact.name} />
        <Text span fw={isUnread ? 600 : 500} className="one-line" dir="auto">
          <Found text={contactName(contact)} />
        </Text>
        {children}
      </Link>
      {isChosen && can('member') && (
        <Button variant="light" size="xs" className="seen-in-focus" onClick={focusAnswer}>
          {words.write('r')}
        </Button>
      )}
    </li>
  )
}

/** The member who has a conversation, by the first letters of the name. */
export function Taker({ userId, name }: { userId: string; name: string }) {
  const isMine = userId === useAccount().user.id
  const label = isMine ? words.takenByYou : words.takenBy(name)
  return (
    <span
      className="conversation-taker"
      dir="auto"
      data-mine={isMine || undefined}
      role="img"
      aria-label={label}
      title={label}
    >
      {initialsOf(name)}
    </span>
  )
}
