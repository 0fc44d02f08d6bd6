import { ActionIcon, Anchor, Button, Checkbox, Group, NativeSelect, SegmentedControl, Text, Title } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { Link, useParams } from 'wouter'
import { lineName } from '../../../../base/direction.ts'
import { focusAnswer } from '../../app/keyboard.ts'
import { useAccount, useWorkspace } from '../../app/session.tsx'
import { EmptyList } from '../../components/EmptyList.tsx'
import { Found, FoundWords } from '../../components/Found.tsx'
import { Hint } from '../../components/Hint.tsx'
import { Isolated } from '../../components/Isolated.tsx'
import { Loaded } from '../../components/Loaded.tsx'
import { PageHeader } from '../../components/PageHeader.tsx'
import { Pages } from '../../components/Pages.tsx'
import { SearchField } from '../../components/SearchField.tsx'
import { StatusBadge } from '../../components/StatusBadge.tsx'
import { Time } from '../../components/Time.tsx'
import { useDocumentTitle } from '../../components/useDocumentTitle.ts'
import { useFilters } from '../../components/useFilters.ts'
import { texts } from '../../texts/texts.ts'
import { addressOf, contactName, isBlocked } from '../contacts/queries.ts'
import { useSenderName } from '../messages/sender.ts'
import { useTemplateLines } from '../templates/queries.ts'
import { ConversationView } from './Conversation.tsx'
import { StatusTick } from './EntryView.tsx'
import { Hits, ThreadSearch } from './Hits.tsx'
import { noHit, searchWith } from './hitQueries.ts'
import { NewMessage } from './NewMessage.tsx'
import {
  type ListedConversation,
  shows,
  useConversation,
  useConversations,
  useCounts,
  useListedContact,
  useUnreadCount,
} from './queries.ts'
import { Sorting } from './Sorting.tsx'
import { UnreadBadge } from './Unread.tsx'

const words = texts.conversations

/** Who wrote, and the conversation that was chosen: beside each other, on a telephone one after the other. */
export function ConversationsPage() {
  const { contactId } = useParams()
  const list = useFocusBehind(contactId)
  return (
    <div className="conversations" data-chosen={contactId !== undefined || undefined}>
      <div className="conversation-list" ref={list}>
        <PageHeader title={words.title} description={words.description} actions={<NewMessage isSmall />} />
        <List chosen={contactId} />
      </div>
      <div className="conversation-pane">
        {contactId === undefined ? <Choose /> : <Chosen key={contactId} contactId={contactId} />}
      </div>
    </div>
  )
}

/** Who leaves a conversation by what was in it goes on at its row, or above the list. @returns a ref for the list */
function useFocusBehind(contactId: string | undefined) {
  const list = useRef<HTMLDivElement>(null)
  const before = useRef(contactId)
  useEffect(() => {
    const left = before.current
    before.current = contactId
    if (left === undefined || contactId !== undefined || document.activeElement !== document.body) return
    const row = list.current?.querySelector<HTMLElement>(`[data-row-link][href*="/${left}"]`)
    const place = row ?? list.current?.querySelector('h1')
    place?.focus({ preventScroll: !row })
  }, [contactId])
  return list
}

/** Beside a list of which nothing is chosen: what waits to be read. */
function Choose() {
  const { id: workspaceId } = useWorkspace()
  const unread = useUnreadCount()
  const open = useCounts().data?.open
  const { unread: isUnreadOnly, show: shown } = useFilters({ unread: '', show: shows[0] })[0]
  // The list says that there is none.
  if (open === 0 && shown === shows[0]) return null
  const show = unread !== null && isUnreadOnly === '' && (
    <Button component={Link} href={`/w/${workspaceId}/conversations?unread=true`} variant="light">
      {words.showUnread(unread)}
    </Button>
  )
  return <EmptyList title={words.chooseTitle} hint={words.chooseHint} action={show} />
}

/** As in components.css: below it there is room for one of both. */
const isNarrow = '(max-width: 62em)'

function Chosen({ contactId }: { contactId: string }) {
  const { id: workspaceId } = useWorkspace()
  const isAlone = useMediaQuery(isNarrow, window.matchMedia(isNarrow).matches)
  const [shown] = useConversation(contactId).data?.pages ?? []
  // The list knows the name before the thread is there.
  const listed = useListedContact(contactId)
  const contact = shown?.contact ?? listed
  const { find } = useFilters(noHit)[0]
  const [isOpened, setSearching] = useState(false)
  const isSearching = isOpened || find !== ''
  const title = contact ? contactName(contact) : texts.contacts.one
  // Beside the list, the list keeps the focus, so that j goes on.
  const heading = useDocumentTitle(title, isAlone)
  return (
    <>
      <Group gap="xs" mb="xs" align="baseline">
        {isAlone && (
          <Anchor
            component={Link}
            href={`/w/${workspaceId}/conversations${searchWith(window.location.search)}`}
            size="sm"
          >
            ← {words.title}
          </Anchor>
        )}
        <Title order={isAlone ? 1 : 2} size="h3" ref={heading} tabIndex={-1} className="quiet-focus breakable">
          <bdi>{title}</bdi>
        </Title>
        {!isAlone && (
          <Text size="sm" c="dimmed">
            <Isolated>{contact && addressOf(contact)}</Isolated>
          </Text>
        )}
        {shown && isBlocked(shown.contact) && <StatusBadge tone="bad">{texts.contacts.blocked}</StatusBadge>}
        {shown?.noMarketing && <StatusBadge tone="warning">{texts.contacts.noMarketing}</StatusBadge>}
        <Anchor component={Link} href={`/w/${workspaceId}/contacts/${contactId}`} size="sm">
          {words.contact}
        </Anchor>
        <ActionIcon
          {...{ variant: 'subtle', color: 'gray', 'aria-label': words.searchThread, title: words.searchThread }}
          aria-expanded={isSearching}
          style={{ alignSelf: 'center' }}
          onClick={() => setSearching(true)}
        >
          <IconSearch size={18} />
        </ActionIcon>
        {shown && <Sorting contactId={contactId} sorted={shown} />}
      </Group>
      {isSearching && <ThreadSearch contactId={contactId} onClose={() => setSearching(false)} />}
      <ConversationView contactId={contactId} />
    </>
  )
}

function List({ chosen }: { chosen: string | undefined }) {
  const [filters, change, isFiltered] = useFilters({ q: '', show: shows[0], line: '', unread: '', cursor: '' })
  const list = useConversations(filters)
  const { next = null } = list.data ?? {}
  // What was written is of no list and no line.
  const isInTexts = filters.q.trim() !== '' && filters.unread === '' && filters.line === ''
  const { data: counts } = useCounts()
  const lines = useTemplateLines().data?.phoneNumbers
  const isLineKnown = filters.line === '' || lines?.some(({ id }) => id === filters.line)
  return (
    <>
      <Group gap="xs" mb="sm" wrap="nowrap">
        <SearchField
          type="search"
          flex={1}
          aria-label={words.searchLabel}
          placeholder={words.search}
          value={filters.q}
          onChange={q => change({ q, cursor: '' })}
        />
        <Checkbox
          size="sm"
          label={words.unreadOnly}
          checked={filters.unread !== ''}
          onChange={event => change({ unread: event.currentTarget.checked ? 'true' : '', cursor: '' })}
        />
      </Group>
      {lines && (lines.length > 1 || filters.line !== '') && (
        <NativeSelect
          {...{ size: 'xs', mb: 'sm', 'aria-label': words.line, value: filters.line }}
          data={[
            { value: '', label: words.allLines },
            ...lines.map(line => ({ value: line.id, label: lineName(line) })),
            ...(isLineKnown ? [] : [{ value: filters.line, label: words.removedLine }]),
          ]}
          onChange={event => change({ line: event.currentTarget.value, cursor: '' })}
        />
      )}
      {filters.q === '' && (
        <SegmentedControl
          {...{ fullWidth: true, size: 'xs', mb: 'sm', 'aria-label': words.lists, className: 'conversation-lists' }}
          value={filters.show}
          data={shows.map(value => ({
            value,
            label: words.list(value, value === 'done' ? undefined : counts?.[value]),
          }))}
          onChange={show => change({ show, cursor: '' })}
        />
      )}
      <Loaded query={list}>
        {({ conversations }) =>
          conversations.length > 0 ? (
            <FoundWords written={filters.q}>
              <ul className="plain-list ruled-list" aria-label={words.title} aria-busy={list.isPlaceholderData}>
                {conversations.map(conversation => (
                  <Row
                    key={conversation.contact.id}
                    conversation={conversation}
                    isChosen={conversation.contact.id === chosen}
                  />
                ))}
              </ul>
            </FoundWords>
          ) : isInTexts && next === null ? (
            <Hint>{words.noName}</Hint>
          ) : (
            <EmptyList
              title={isFiltered ? words.noneTitle : words.emptyTitle}
              hint={next !== null ? texts.common.searchOn : isFiltered ? words.noneHint : words.emptyHint}
            />
          )
        }
      </Loaded>
      <Pages
        back={[[texts.common.newest, filters.cursor === '' ? null : { cursor: '' }]]}
        next={[texts.common.older, next === null ? null : { cursor: String(next) }]}
        onChange={change}
      />
      {isInTexts && <Hits key={filters.q} written={filters.q} />}
    </>
  )
}

function Row({ conversation, isChosen }: { conversation: ListedConversation; isChosen: boolean }) {
  const { id: workspaceId, can } = useWorkspace()
  const { contact, unread, last, takenBy } = conversation
  const { user } = useAccount()
  const nameOf = useSenderName()
  const said = last.words ?? words.types[last.type]
  const marks = [
    isBlocked(contact) && texts.contacts.blocked,
    takenBy && (takenBy.userId === user.id ? words.takenByYou : words.takenBy(takenBy.name)),
  ].filter(mark => mark)
  return (
    <li>
      <Link
        href={`/w/${workspaceId}/conversations/${contact.id}${searchWith(window.location.search)}`}
        className="conversation-row"
        data-row-link
        aria-current={isChosen ? 'true' : undefined}
        onClick={event => {
          // By a key, once more: to write.
          if (isChosen && event.detail === 0 && focusAnswer()) event.preventDefault()
        }}
      >
        <Text span fw={unread > 0 ? 700 : 500} className="one-line" dir="auto">
          <Found text={contact.name ?? addressOf(contact) ?? contact.id} />
        </Text>
        <Text span size="xs" c="dimmed">
          <Time at={last.at} precision="relative" />
        </Text>
        <Text span size="sm" className="with-icon" c={unread > 0 ? undefined : 'dimmed'}>
          {last.status && <StatusTick status={last.status} label={texts.messages.statuses[last.status]} />}
          {last.isOurs && <bdi className="said-by">{last.by ? nameOf(last.by) : words.inApp}:</bdi>}{' '}
          <span className="one-line" dir="auto">
            {said}
          </span>
        </Text>
        <UnreadBadge unread={unread} />
        {marks.length > 0 && (
          <Text span size="xs" c="dimmed" className="one-line conversation-taken">
            {marks.join(' · ')}
          </Text>
        )}
      </Link>
      {isChosen && can('member') && (
        <Button variant="light" size="compact-sm" className="seen-in-focus" onClick={focusAnswer}>
          {words.write('r')}
        </Button>
      )}
    </li>
  )
}
