import { ActionIcon, Group, Text, Title } from '@mantine/core'
import { IconArrowLeft, IconBan, IconBellOff, IconSearch } from '@tabler/icons-react'
import type { Ref } from 'react'
import { Link } from 'wouter'
import { useWorkspace } from '../../app/session.tsx'
import { Initials } from '../../components/Initials.tsx'
import { Isolated } from '../../components/Isolated.tsx'
import { StatusBadge } from '../../components/StatusBadge.tsx'
import { useDocumentTitle } from '../../components/useDocumentTitle.ts'
import { texts } from '../../texts/texts.ts'
import { addressBeside, contactName, isBlocked } from '../contacts/queries.ts'
import { Taker } from './ConversationRow.tsx'
import type { FinishedOne } from './FinishedNote.tsx'
import { searchWith } from './hitQueries.ts'
import { type ConversationPage, useListedContact } from './queries.ts'
import { type Panel, Sorting } from './Sorting.tsx'

const words = texts.conversations

interface Props {
  readonly contactId: string
  /** Undefined: not read yet. */
  readonly page: ConversationPage | undefined
  /** Without the list beside it. */
  readonly isAlone: boolean
  /** What is done seldom is in the menu. */
  readonly isCompact: boolean
  /** What is done often is a sign. */
  readonly isTight: boolean
  readonly panel: Panel
  /** Where the conversation says how long one may write freely: a line of its own would take it from the thread. */
  readonly windowPlace: Ref<HTMLSpanElement>
  readonly isSearching: boolean
  readonly onSearch: () => void
  readonly onFinished: (one: FinishedOne) => void
}

/** Above a conversation, in two lines: who it is with, how it stands, and what can be done with it. */
export function ThreadHead(props: Props) {
  const { contactId, page, isAlone, isCompact, isTight, panel, windowPlace, isSearching, onSearch, onFinished } = props
  const { id: workspaceId } = useWorkspace()
  // The list knows the name before the thread is there.
  const listed = useListedContact(contactId)
  const contact = page?.contact ?? listed
  const title = contact ? contactName(contact) : texts.contacts.one
  // Beside the list, the list keeps the focus, so that j goes on.
  const heading = useDocumentTitle(title, isAlone)
  const { isDone = false, takenBy = null } = page ?? {}
  const address = contact && addressBeside(contact)
  return (
    <Group gap="xs" mih={56} className="thread-head">
      {isAlone && (
        <ActionIcon
          {...{ variant: 'subtle', color: 'gray', 'aria-label': `← ${words.title}` }}
          component={Link}
          href={`/w/${workspaceId}/conversations${searchWith(window.location.search)}`}
        >
          <IconArrowLeft size={20} />
        </ActionIcon>
      )}
      {contact && <Initials id={contactId} name={contact.name} size={isAlone ? 'sm' : 'md'} />}
      <div className="thread-who">
        <Title order={isAlone ? 1 : 2} size="h4" ref={heading} tabIndex={-1} className="quiet-focus one-line">
          <bdi>{title}</bdi>
        </Title>
        <Group gap="0 0.6rem" fz="xs" c="dimmed" className="thread-signs">
          {takenBy && <Taker {...takenBy} />}
          {page && isBlocked(page.contact) && <Mark is="blocked" isTight={isTight} />}
          {page?.noMarketing && <Mark is="noMarketing" isTight={isTight} />}
          {isDone && <Text fz="xs">{words.isDone}</Text>}
          <span ref={windowPlace} className="thread-window" />
          {address && (panel.isAbove || !panel.isOpen) && <Isolated>{address}</Isolated>}
        </Group>
      </div>
      {!isCompact && (
        <ActionIcon
          {...{ variant: 'subtle', color: 'gray', 'aria-label': words.searchThread, title: words.searchThread }}
          aria-expanded={isSearching}
          onClick={onSearch}
        >
          <IconSearch size={18} />
        </ActionIcon>
      )}
      {page && <Sorting {...{ contactId, isCompact, isTight, panel, onFinished, onSearch }} sorted={page} />}
    </Group>
  )
}

const marks = {
  blocked: ['bad', IconBan, 'var(--mantine-color-error)'],
  noMarketing: ['warning', IconBellOff, 'var(--mantine-color-orange-text)'],
} as const

/** What is to be known before one writes: where there is little room, its sign. */
function Mark({ is, isTight }: { is: keyof typeof marks; isTight: boolean }) {
  const [tone, Sign, color] = marks[is]
  const label = texts.contacts[is]
  if (!isTight) return <StatusBadge tone={tone}>{label}</StatusBadge>
  return <Sign size={16} role="img" aria-label={label} title={label} color={color} />
}
