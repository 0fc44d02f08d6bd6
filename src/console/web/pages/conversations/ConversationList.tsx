import { Button, Group, NativeSelect, SegmentedControl, Text, Title } from '@mantine/core'
import { useInViewport } from '@mantine/hooks'
import { useEffect } from 'react'
import { lineName } from '../../../../base/direction.ts'
import { EmptyList } from '../../components/EmptyList.tsx'
import { FoundWords } from '../../components/Found.tsx'
import { Hint } from '../../components/Hint.tsx'
import { Loaded } from '../../components/Loaded.tsx'
import { SearchField } from '../../components/SearchField.tsx'
import { Toggle } from '../../components/Toggle.tsx'
import { useFilters } from '../../components/useFilters.ts'
import { texts } from '../../texts/texts.ts'
import { useContacts } from '../contacts/queries.ts'
import { useTemplateLines } from '../templates/queries.ts'
import { ContactRow, ConversationRow } from './ConversationRow.tsx'
import { Hits } from './Hits.tsx'
import { type ListedConversation, shows, useConversations, useCounts } from './queries.ts'

const words = texts.conversations

/** So far the gateway counts. */
const countedMax = 99

/** Who wrote; in a search also who did not, and what was written. @param props.chosen whose row is marked */
export function ConversationList({ chosen }: { chosen: string | undefined }) {
  const [filters, change, isFiltered] = useFilters({ q: '', show: shows[0], line: '', unread: '' })
  const list = useConversations(filters)
  const { hasNextPage, isFetching, isFetchingNextPage: isReading, isFetchNextPageError: isStuck, fetchNextPage } = list
  const isUnreadOnly = filters.unread !== ''
  // What was written is of no list and no line.
  const isInTexts = filters.q.trim() !== '' && !isUnreadOnly && filters.line === ''
  const { data: counts } = useCounts()
  const lines = useTemplateLines().data?.phoneNumbers
  const isLineKnown = filters.line === '' || lines?.some(({ id }) => id === filters.line)
  const { ref: end, inViewport: isAtEnd } = useInViewport()
  // Below the people of a search stands more; and where the last part had nobody, its reader says whether to go on.
  const goesOn = isAtEnd && filters.q === '' && list.data?.pages.at(-1)?.conversations.length !== 0
  // biome-ignore lint/correctness/useExhaustiveDependencies: once each time that it comes into view
  useEffect(() => {
    // It would end a reading of what has changed.
    if (goesOn && hasNextPage && !isFetching && !isStuck) void fetchNextPage()
  }, [goesOn, isFetching])
  return (
    <>
      <Group gap="xs" mb="xs" wrap="nowrap">
        <SearchField
          type="search"
          flex={1}
          aria-label={words.searchLabel}
          placeholder={words.search}
          value={filters.q}
          onChange={q => change({ q })}
        />
        <Toggle
          label={words.unreadOnly}
          title={words.unreadOnlyHint}
          isOn={isUnreadOnly}
          onChange={unread => change({ unread })}
        />
      </Group>
      {lines && (lines.length > 1 || filters.line !== '') && (
        <NativeSelect
          {...{ size: 'xs', mb: 'xs', 'aria-label': words.line, value: filters.line }}
          data={[
            { value: '', label: words.allLines },
            ...lines.map(line => ({ value: line.id, label: lineName(line) })),
            ...(isLineKnown ? [] : [{ value: filters.line, label: words.removedLine }]),
          ]}
          onChange={event => change({ line: event.currentTarget.value })}
        />
      )}
      {filters.q === '' && (
        <SegmentedControl
          {...{ fullWidth: true, size: 'xs', mb: 'xs', 'aria-label': words.lists, className: 'conversation-lists' }}
          value={filters.show}
          data={shows.map(value => ({
            value,
            label: (
              <>
                {words.listNames[value]}{' '}
                {counts && counts[value] > 0 && (
                  <Text span inherit c="dimmed" fw={400}>
                    {counts[value] > countedMax ? `${countedMax}+` : counts[value]}
                  </Text>
                )}
              </>
            ),
          }))}
          onChange={show => change({ show })}
        />
      )}
      {/* Another list begins at its top. */}
      <div className="conversation-rows" key={Object.values(filters).join(' ')}>
        <Loaded query={list}>
          {({ pages }) => {
            const conversations = pages.flatMap(page => page.conversations)
            return conversations.length > 0 ? (
              <FoundWords written={filters.q}>
                <ul className="plain-list ruled-list" aria-label={words.title} aria-busy={list.isPlaceholderData}>
                  {conversations.map(conversation => (
                    <ConversationRow
                      key={conversation.contact.id}
                      conversation={conversation}
                      isChosen={conversation.contact.id === chosen}
                    />
                  ))}
                </ul>
              </FoundWords>
            ) : (
              !isInTexts && (
                <EmptyList
                  title={isFiltered ? words.noneTitle : words.emptyTitle}
                  hint={
                    hasNextPage
                      ? texts.common.searchOn
                      : filters.q !== ''
                        ? words.noneHint
                        : isFiltered
                          ? words.noneHere
                          : words.emptyHint
                  }
                />
              )
            )
          }}
        </Loaded>
        {hasNextPage && (
          <Text component="div" ta="center" py={4}>
            <div ref={end} className="conversation-rows-end" />
            <Button size="xs" variant="subtle" loading={isReading} onClick={() => void fetchNextPage()}>
              {texts.common.older}
            </Button>
          </Text>
        )}
        {isInTexts && list.data && (
          <>
            <Others
              written={filters.q}
              chosen={chosen}
              conversations={list.data.pages.flatMap(page => page.conversations)}
              isAll={!hasNextPage}
            />
            <Hits key={filters.q} written={filters.q} />
          </>
        )}
      </div>
    </>
  )
}

/** At once; to see others, a person types more. */
const othersMax = 6

/** The contacts of that name or number who are in no list: they never wrote. @param props.isAll all others are found */
function Others(props: {
  written: string
  chosen: string | undefined
  conversations: readonly ListedConversation[]
  isAll: boolean
}) {
  const { written, chosen, conversations, isAll } = props
  const { data } = useContacts({ q: written.trim(), limit: String(othersMax) })
  const listed = new Set(conversations.map(({ contact }) => contact.id))
  const others = data?.contacts.filter(({ id }) => !listed.has(id)) ?? []
  if (others.length === 0) return data && isAll && listed.size === 0 && <Hint>{words.noName}</Hint>
  return (
    <section aria-label={words.otherContacts}>
      <Title order={2} size="sm" mt="md" mb={4}>
        {words.otherContacts}
      </Title>
      <FoundWords written={written}>
        <ul className="plain-list ruled-list">
          {others.map(contact => (
            <ContactRow key={contact.id} contact={contact} isChosen={contact.id === chosen} />
          ))}
        </ul>
      </FoundWords>
    </section>
  )
}
