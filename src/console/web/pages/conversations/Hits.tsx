import { ActionIcon, Button, Group, Loader, Text, Title } from '@mantine/core'
import { IconChevronDown, IconChevronUp, IconX } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { Link } from 'wouter'
import { useWorkspace } from '../../app/session.tsx'
import { ErrorView } from '../../components/ErrorView.tsx'
import { Found, FoundWords } from '../../components/Found.tsx'
import { Initials } from '../../components/Initials.tsx'
import { SearchField } from '../../components/SearchField.tsx'
import { Time } from '../../components/Time.tsx'
import { useFilters } from '../../components/useFilters.ts'
import { texts } from '../../texts/texts.ts'
import { contactName } from '../contacts/queries.ts'
import { type Hit, noHit, searchWith, useHits } from './hitQueries.ts'

const words = texts.conversations

/** What a list shows at once, and parts that are searched for it: a few seconds' work. */
const [hitsMin, partsMax] = [10, 25]

/** In one conversation so many are counted; more are found as somebody comes to them. */
const countedMax = 100

/** Below the people of that name: what was written with these words, in all conversations. */
export function Hits({ written }: { written: string }) {
  const place = `/w/${useWorkspace().id}/conversations`
  const [wanted, setWanted] = useState({ hits: hitsMin, parts: partsMax })
  const isEnough = (hits: readonly Hit[], parts: number) => hits.length >= wanted.hits || parts >= wanted.parts
  const { hits, isSearching, hasMore, searchedTo, error, parts } = useHits(written, null, isEnough)
  const { hit: open } = useFilters(noHit)[0]
  return (
    <section aria-label={words.inTexts}>
      <Group gap="xs" mt="md" mb={4}>
        <Title order={2} size="sm">
          {words.inTexts}
        </Title>
        {isSearching && <Loader size={12} aria-hidden />}
      </Group>
      <FoundWords written={written}>
        <ul className="plain-list ruled-list">
          {hits.map(({ id, at, contact, isOurs, words: said }) => (
            <li key={id}>
              <Link
                href={`${place}/${contact.id}${searchWith(location.search, { find: written, at, hit: id })}`}
                className="conversation-row"
                data-row-link
                aria-current={id === open ? 'true' : undefined}
              >
                <Initials id={contact.id} name={contact.name} />
                <Text span fw={500} className="one-line" dir="auto">
                  <Found text={contactName(contact)} />
                </Text>
                <Text span size="xs" c="dimmed">
                  <Time at={at} precision="relative" />
                </Text>
                <Text span size="sm" c="dimmed" className="hit-words" dir="auto">
                  {isOurs && `${words.we}: `}
                  <Found text={said} />
                </Text>
              </Link>
            </li>
          ))}
        </ul>
      </FoundWords>
      {error && <ErrorView error={error} />}
      <Text size="sm" c="dimmed" role="status">
        {isSearching ? words.searching : hits.length === 0 && words.noHits}{' '}
        {searchedTo !== null && (
          <>
            {texts.messages.searchedTo} <Time at={searchedTo} precision="relative" />
          </>
        )}
      </Text>
      {hasMore && !isSearching && (
        <Button
          {...{ variant: 'subtle', size: 'xs', mt: 4 }}
          onClick={() => setWanted({ hits: hits.length + hitsMin, parts: parts + partsMax })}
        >
          {texts.messages.searchFurther}
        </Button>
      )}
    </section>
  )
}

/** The search within a conversation: it goes from one message to the next. */
export function ThreadSearch({ contactId, onClose }: { contactId: string; onClose: () => void }) {
  const [{ find, hit }, change] = useFilters(noHit)
  const indexIn = (hits: readonly Hit[]) => hits.findIndex(({ id }) => id === hit)
  // One more than is shown, so that the next one is there.
  const isEnough = (hits: readonly Hit[]) =>
    hits.length >= countedMax && (hit === '' || (indexIn(hits) >= 0 && indexIn(hits) < hits.length - 1))
  const { hits, isSearching, hasMore, error } = useHits(find, contactId, isEnough)
  const index = indexIn(hits)
  const go = (to: Hit | undefined) => to && change({ at: to.at, hit: to.id })
  const [newest] = hits
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for what was found; who leaves it has left it
  useEffect(() => {
    if (hit === '') go(newest)
  }, [find, newest?.id])
  const close = () => {
    change(noHit)
    onClose()
  }
  return (
    <Group
      {...{ gap: 4, mb: 'xs', wrap: 'nowrap' }}
      onKeyDown={event => {
        if (event.key === 'Escape') close()
        else if (event.key === 'Enter' && event.target instanceof HTMLInputElement && event.target.value === find)
          go(hits[index + (event.shiftKey ? -1 : 1)])
      }}
    >
      <SearchField
        {...{ type: 'search', size: 'xs', flex: 1, autoFocus: hit === '', value: find }}
        {...{ 'aria-label': words.searchThread, placeholder: words.searchThread }}
        onChange={next => change({ ...noHit, find: next })}
      />
      <Text size="xs" c={error ? 'red' : 'dimmed'} role="status" miw="4rem" ta="center">
        {error
          ? words.searchFailed
          : hits.length > 0
            ? words.hitOf(index + 1, `${hits.length}${hasMore ? '+' : ''}`)
            : find !== '' && (isSearching ? words.searching : words.noHits)}
      </Text>
      <Step
        label={words.earlierHit}
        Sign={IconChevronUp}
        onStep={index < hits.length - 1 ? () => go(hits[index + 1]) : null}
      />
      <Step label={words.laterHit} Sign={IconChevronDown} onStep={index > 0 ? () => go(hits[index - 1]) : null} />
      <Step label={words.closeSearch} Sign={IconX} onStep={close} />
    </Group>
  )
}

function Step(props: { label: string; Sign: typeof IconX; onStep: (() => void) | null }) {
  const { label, Sign, onStep } = props
  return (
    <ActionIcon
      {...{ variant: 'subtle', color: 'gray', 'aria-label': label, title: label, disabled: onStep === null }}
      onClick={onStep ?? undefined}
    >
      <Sign size={18} />
    </ActionIcon>
  )
}
