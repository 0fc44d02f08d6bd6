import { Anchor, Group, Text } from '@mantine/core'
import {
  IconAddressBook,
  IconFile,
  IconHandClick,
  IconMapPin,
  IconMessage,
  IconMoodSmile,
  IconPhoto,
  IconSticker,
  IconTemplate,
  IconVideo,
  IconVolume,
} from '@tabler/icons-react'
import { Link } from 'wouter'
import { lineNameIn } from '../../../../base/direction.ts'
import { isScheduled } from '../../../../message/statuses.ts'
import { useWorkspace } from '../../app/session.tsx'
import { useColumnChoice } from '../../components/ColumnChoice.tsx'
import { type Column, DataTable } from '../../components/DataTable.tsx'
import { EmptyList } from '../../components/EmptyList.tsx'
import { whole } from '../../components/numbers.ts'
import { PageHeader } from '../../components/PageHeader.tsx'
import { Pages } from '../../components/Pages.tsx'
import { Time } from '../../components/Time.tsx'
import { useFilters } from '../../components/useFilters.ts'
import { translated } from '../../texts/said.ts'
import { texts } from '../../texts/texts.ts'
import { NewMessage } from '../conversations/NewMessage.tsx'
import { Export } from './Export.tsx'
import { MessageFilters } from './MessageFilters.tsx'
import { MessageStatusBadge } from './MessageStatus.tsx'
import {
  type Filters,
  type ListAnswer,
  type ListedMessage,
  messagesPath,
  noFilters,
  recipientText,
  useChoices,
  useCount,
  useMessages,
} from './queries.ts'
import { SendManyAgain } from './SendManyAgain.tsx'
import { useSenderName } from './sender.ts'

const words = texts.messages

/** The messages of a workspace, newest first. */
export function MessagesPage() {
  const { id: workspaceId } = useWorkspace()
  const [filters, changeFilters] = useFilters({ ...noFilters, older: '', newer: '' })
  const { older: _older, newer: _newer, ...chosen } = filters
  const isFiltered = Object.values(chosen).some(value => value !== '')
  const list = useMessages(filters)
  const { older = null, newer = null, searchedTo = null } = list.data ?? {}
  const found = useFound(filters, list.data)
  const change = (next: Partial<Filters>) => changeFilters({ older: '', newer: '', ...next })
  const { columns, choice } = useColumnChoice('messages', useColumns(), [words.columns.line, words.columns.sentBy])
  const isEmpty = list.data?.messages.length === 0
  const isBehind = filters.older !== '' || newer !== null
  return (
    <>
      <PageHeader title={words.title} actions={<NewMessage />} />
      <MessageFilters
        filters={filters}
        onChange={change}
        isFiltered={isFiltered}
        isSearching={list.isFetching && filters.q !== ''}
      />
      <Group justify="space-between" mih="1.75rem" mb={isEmpty ? 'sm' : undefined}>
        <Group gap="0 0.75rem">
          <Text size="sm" c="dimmed" role="status">
            {found}
          </Text>
          <ToScheduled isShown={filters.status === waiting} />
        </Group>
        <Group gap="xs">
          <SendManyAgain filters={filters} />
          {(isFiltered || !isEmpty) && (
            <>
              {choice}
              <Export filters={filters} found={found} onDays={change} />
            </>
          )}
        </Group>
      </Group>
      <DataTable
        label={words.title}
        columns={columns}
        rows={list.data?.messages}
        keyOf={({ id }) => id}
        hrefOf={({ id }) => `/w/${workspaceId}/messages/${id}`}
        query={list}
        empty={isFiltered ? <NoneFits text={filters.q} /> : <NoneYet />}
        isStale={list.isPlaceholderData}
      />
      <Pages
        back={[
          [texts.common.newer, newer === null ? null : { older: '', newer }],
          [texts.common.newest, isBehind ? { older: '', newer: '' } : null],
        ]}
        next={[
          searchedTo === null ? texts.common.older : words.searchFurther,
          older === null ? null : { older, newer: '' },
        ]}
        onChange={changeFilters}
      >
        {searchedTo !== null && (
          <Text size="sm" c="dimmed" role="status">
            {words.searchedTo} <Time at={searchedTo} />. {words.searchNarrower}
          </Text>
        )}
      </Pages>
    </>
  )
}

const waiting = 'SCHEDULED'

/** The way to what waits for its time, where there is any. */
function ToScheduled({ isShown }: { isShown: boolean }) {
  const { id: workspaceId } = useWorkspace()
  const { count = 0, isMore = false } = useCount({ ...noFilters, older: '', newer: '', status: waiting }).data ?? {}
  if (count === 0 || isShown) return null
  return (
    <Anchor component={Link} size="sm" href={messagesPath(workspaceId, { status: waiting })}>
      {words.toScheduled(isMore ? `${whole(count)}+` : whole(count))}
    </Anchor>
  )
}

/** @returns how many messages were found, exactly where that is known; empty until then; null: none */
function useFound(filters: Filters, list: ListAnswer | undefined): string | null {
  const counted = useCount(filters).data
  // The first page of a text has all that was found, or there are more.
  const searched = list && { count: list.messages.length, isMore: list.older !== null || filters.older !== '' }
  const known = filters.q === '' ? counted : searched
  if (!known) return ''
  const { count, isMore } = known
  if (count === 0) return null
  return words.found(isMore ? words.moreThan(whole(count)) : whole(count), count === 1 && !isMore)
}

function useColumns(): Column<ListedMessage>[] {
  const choices = useChoices()
  const { columns } = words
  const nameOf = useSenderName()
  return [
    { header: columns.recipient, place: 'who', render: message => <Who message={message} /> },
    { header: columns.content, place: 'what', render: message => <What message={message} /> },
    { header: columns.status, place: 'how', render: message => <How message={message} /> },
    { header: columns.line, render: ({ lineId }) => lineNameIn(choices.data?.lines, lineId) },
    {
      header: columns.sentBy,
      render: ({ sentBy }) => (
        <Text size="sm" truncate maw="10rem">
          <bdi>{nameOf(sentBy)}</bdi>
        </Text>
      ),
    },
    {
      header: columns.created,
      place: 'when',
      render: ({ createdAt }) => <Time at={createdAt} precision="relative" />,
    },
  ]
}

function Who({ message: { contact, recipient } }: { message: ListedMessage }) {
  const number = recipientText(recipient)
  if (!contact?.name) return number
  return (
    <span className="named">
      <bdi>{contact.name}</bdi>
      <Text component="bdi" size="xs" c="dimmed">
        {number}
      </Text>
    </span>
  )
}

const typeIcons = {
  text: IconMessage,
  template: IconTemplate,
  interactive: IconHandClick,
  image: IconPhoto,
  video: IconVideo,
  document: IconFile,
  audio: IconVolume,
  sticker: IconSticker,
  location: IconMapPin,
  contacts: IconAddressBook,
  reaction: IconMoodSmile,
} as const

function What({ message: { type, templateName, isVoice, words: said } }: { message: ListedMessage }) {
  const Icon = typeIcons[type]
  const named = isVoice ? texts.conversations.types.voice : words.types[type]
  return (
    <span className="with-icon">
      <Icon size={16} stroke={1.6} role="img" aria-label={named} />
      <Text
        span
        size="sm"
        className="one-line"
        dir="auto"
        c={said === null && templateName === null ? 'dimmed' : undefined}
      >
        {said ?? templateName ?? named}
      </Text>
      {said !== null && templateName !== null && (
        <Text span size="xs" c="dimmed" className="one-line template-name">
          <bdi>{templateName}</bdi>
        </Text>
      )}
    </span>
  )
}

function How({ message: { status, failure, sendAt, isSentAgain } }: { message: ListedMessage }) {
  return (
    <>
      <MessageStatusBadge status={status} />
      {isSentAgain && (
        <Text size="xs" c="dimmed">
          {words.wasSentAgain}
        </Text>
      )}
      {isScheduled(status) && (
        <Text size="xs" c="dimmed">
          <Time at={sendAt} precision="planned" />
        </Text>
      )}
      {failure !== null && (
        <Text size="xs" className="one-line failure">
          {translated(failure)}
        </Text>
      )}
    </>
  )
}

function NoneYet() {
  return (
    <EmptyList
      title={words.emptyTitle}
      hint={words.emptyHint}
      action={
        <Anchor href="/docs" target="_blank">
          {words.emptyAction}
        </Anchor>
      }
    />
  )
}

/** @param props.text what was searched for: the words of people are in their conversations */
function NoneFits({ text }: { text: string }) {
  const { id: workspaceId } = useWorkspace()
  if (text === '') return <EmptyList title={words.noneTitle} hint={words.noneHint} />
  return (
    <EmptyList
      title={words.noneTitle}
      hint={words.noneOfText}
      action={
        <Anchor component={Link} href={`/w/${workspaceId}/conversations?${new URLSearchParams({ q: text })}`}>
          {texts.palette.conversationsWith(text)}
        </Anchor>
      }
    />
  )
}
