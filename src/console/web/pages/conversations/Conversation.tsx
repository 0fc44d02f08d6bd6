import { Button, Text } from '@mantine/core'
import { useIntersection, useInViewport } from '@mantine/hooks'
import {
  Fragment,
  type RefObject,
  type UIEvent,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { createPortal } from 'react-dom'
import { lineNameIn } from '../../../../base/direction.ts'
import { useWorkspace } from '../../app/session.tsx'
import { ErrorView } from '../../components/ErrorView.tsx'
import { FoundWords } from '../../components/Found.tsx'
import { Hint } from '../../components/Hint.tsx'
import { Loaded } from '../../components/Loaded.tsx'
import { Time, useNow } from '../../components/Time.tsx'
import { useFilters } from '../../components/useFilters.ts'
import { composer as composerWords } from '../../texts/en/composer.ts'
import { texts } from '../../texts/texts.ts'
import { contactName } from '../contacts/queries.ts'
import { Composer } from './composer/Composer.tsx'
import type { TakeFiles } from './composer/Field.tsx'
import { OutgoingView } from './composer/Outgoing.tsx'
import { type ComposerState, useComposer } from './composer/useComposer.ts'
import { EntryView } from './EntryView.tsx'
import { noHit, useConversationAround } from './hitQueries.ts'
import { OthersQuestion, useTellWriting, Writing } from './Others.tsx'
import { type ConversationPage, useConversation } from './queries.ts'
import { threadOf } from './thread.ts'
import { UnreadBelow } from './Unread.tsx'
import { useOpening, useReading } from './useUnread.ts'
import { isWindowOpen, Window } from './Window.tsx'

const words = texts.conversations

/** Nearer to the end counts as the end, as in conversations.css. */
const endPx = 60

type Query = ReturnType<typeof useConversation>

/**
 * What a person wrote and was sent. It follows what is said, and what stood on the screen is read.
 * @param props.windowPlace where it says how long one may write freely, in place of a line of its own
 * @param props.isTight it says that in the time alone
 */
export function ConversationView(props: { contactId: string; windowPlace?: HTMLElement | null; isTight?: boolean }) {
  const { contactId, windowPlace = null, isTight = false } = props
  const query = useConversation(contactId)
  return (
    <Loaded query={query}>
      {({ pages: [page, ...older] }) =>
        page && <Shown {...{ contactId, query, windowPlace, isTight }} pages={[page, ...older]} />
      }
    </Loaded>
  )
}

type Pages = readonly [ConversationPage, ...ConversationPage[]]

function Shown(props: {
  contactId: string
  pages: Pages
  query: Query
  windowPlace: HTMLElement | null
  isTight: boolean
}) {
  const { contactId, pages, query, windowPlace, isTight } = props
  const [page] = pages
  const { can } = useWorkspace()
  const composer = useComposer(contactId, page)
  const { line } = composer
  const isOpen = isWindowOpen(line, useNow())
  // Who may write reads below, where a template is chosen, that nothing else may be sent.
  const isSaid = line && !page.contact.blockedOn.includes(line.id) && (isOpen || !can('member'))
  useTellWriting(contactId, composer.draft.text)
  const taker = useRef<TakeFiles | null>(null)
  const onTaker = useCallback((take: TakeFiles | null) => {
    taker.current = take
  }, [])
  const [isOver, setOver] = useState(false)
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: who drops nothing has a button for files
    <div
      className="conversation"
      data-drop={isOver ? composerWords.dropHere : undefined}
      onDragOver={event => {
        if (!taker.current || !event.dataTransfer.types.includes('Files')) return
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={event => event.currentTarget.contains(event.relatedTarget as Node | null) || setOver(false)}
      onDrop={event => {
        setOver(false)
        if (taker.current?.(event.dataTransfer.files)) event.preventDefault()
      }}
    >
      {isSaid &&
        (isOpen && windowPlace ? (
          createPortal(<Window {...{ line, isTight }} isShort />, windowPlace)
        ) : (
          <Window line={line} />
        ))}
      <Log contactId={contactId} pages={pages} query={query} composer={can('member') ? composer : null} />
      <Writing key={page.entries.at(-1)?.id} contactId={contactId} />
      <OthersQuestion question={composer.question} />
      {can('member') && <Composer page={page} composer={composer} onTaker={onTaker} />}
    </div>
  )
}

/**
 * Its end is what stands still: the box is drawn from below (conversations.css), so that neither an older page nor a
 * picture that is loaded above moves what is read.
 */
interface LogProps {
  readonly contactId: string
  readonly pages: Pages
  readonly query: Query
  /** Null: its reader may not write. */
  readonly composer: ComposerState | null
}

function Log({ contactId, pages, query: live, composer }: LogProps) {
  const { find, hit, past, leave } = useHit(contactId, pages)
  const query = past ?? live
  const { isFetching, isFetchingNextPage: isReading, isFetchNextPageError: isStuck, hasNextPage, fetchNextPage } = query
  const { contact, lines } = pages[0]
  const entries = [...(past ? (past.data?.pages ?? []) : pages)].reverse().flatMap(page => page.entries)
  const items = threadOf(entries)
  const outgoing = (past === null && composer?.outgoing) || []
  const box = useKeptPlace(entries.at(-1)?.id, { isLive: past === null, ownId: outgoing.at(-1)?.key })
  useShownHit(box, entries.some(({ id }) => id === hit) ? hit : '')
  const looked = { contactId, page: pages[0], pages: pages.length, items, query: live, box }
  useReading({ ...looked, isLive: past === null })
  const firstUnread = useOpening({ ...looked, isLive: past === null && hit === '' })
  const sent = composer?.outgoing.length ?? 0
  const sentBefore = useRef(sent)
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is sent stands at the end; an answer moves nobody
  useEffect(() => {
    if (sent > sentBefore.current) leave()
    sentBefore.current = sent
  }, [sent])
  const { ref: end, entry: atEnd } = useIntersection()
  // On the page of a contact its end may be further down than the window.
  const [isUp, setUp] = useState(false)
  const isAtLater = past?.hasPreviousPage && atEnd?.isIntersecting
  // biome-ignore lint/correctness/useExhaustiveDependencies: once each time that it comes into view
  useEffect(() => {
    if (isAtLater && !past?.isFetchingPreviousPage && !past?.isFetchPreviousPageError) void past?.fetchPreviousPage()
  }, [isAtLater, past?.isFetchingPreviousPage])
  const noteUp = ({ currentTarget }: UIEvent<HTMLElement>) => setUp(currentTarget.scrollTop < -endPx)
  const { ref, inViewport } = useInViewport()
  // biome-ignore lint/correctness/useExhaustiveDependencies: once each time that it comes into view
  useEffect(() => {
    // It would end a reading of what has changed.
    if (inViewport && hasNextPage && !isFetching && !isStuck) void fetchNextPage()
  }, [inViewport, isFetching])
  return (
    <div className="conversation-frame">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and a keyboard must reach it */}
      <div className="conversation-log" role="log" aria-label={words.log} tabIndex={0} ref={box} onScroll={noteUp}>
        <div ref={end} className="conversation-end" />
        <ol className="plain-list">
          <FoundWords written={find}>
            {hasNextPage && (
              <Text component="li" ref={ref} ta="center">
                <Button size="xs" variant="subtle" loading={isReading} onClick={() => void fetchNextPage()}>
                  {words.earlier}
                </Button>
              </Text>
            )}
            {entries.length + outgoing.length === 0 && !hasNextPage && past === null && <Hint>{words.logEmpty}</Hint>}
            {items.map(item => (
              <Fragment key={item.entry.id}>
                {item.isNewDay && (
                  <Text component="li" size="xs" c="dimmed" ta="center">
                    <Time at={item.at} precision="named" />
                  </Text>
                )}
                {item.newLine !== null && (
                  <Text component="li" size="xs" c="dimmed" ta="center">
                    {lines.some(({ id }) => id === item.newLine)
                      ? words.onLine(lineNameIn(lines, item.newLine))
                      : words.removedLine}
                  </Text>
                )}
                {item.entry.id === firstUnread?.id && <UnreadBelow count={firstUnread.count} />}
                <EntryView
                  item={item}
                  person={contactName(contact)}
                  onReply={composer && (quote => composer.reply(quote, item.entry.lineId))}
                  isHit={item.entry.id === hit}
                />
              </Fragment>
            ))}
          </FoundWords>
          {composer && outgoing.map(one => <OutgoingView key={one.key} one={one} composer={composer} />)}
        </ol>
      </div>
      {past?.isError && (
        <ErrorView
          error={past.error}
          {...(past.isFetchPreviousPageError && { onRetry: () => void past.fetchPreviousPage() })}
        />
      )}
      {(past !== null || isUp) && (
        <Button
          {...{ pos: 'absolute', bottom: 12, right: 16, size: 'xs' }}
          onClick={() => (past ? leave() : box.current?.scrollTo({ top: 0, behavior: 'smooth' }))}
        >
          {words.toEnd} ↓
        </Button>
      )}
    </div>
  )
}

/** @returns the message that a search is at; `past`: what stands around it, where the pages do not have it */
function useHit(contactId: string, pages: Pages) {
  const [{ find, at, hit }, change] = useFilters(noHit)
  const isHere = pages.some(({ entries }) => entries.some(({ id }) => id === hit))
  const past = useConversationAround(contactId, isHere ? '' : at)
  return { find, hit, past: isHere || at === '' ? null : past, leave: () => change({ at: '', hit: '' }) }
}

/** Brings what a search is at into view, once it is there. */
function useShownHit(box: RefObject<HTMLElement | null>, hit: string) {
  useLayoutEffect(() => {
    if (hit !== '') box.current?.querySelector('[data-hit]')?.scrollIntoView({ block: 'center' })
  }, [box, hit])
}

/**
 * @param of.isLive who is at the end stays there, and who comes back to it from what was said before begins there
 * @param of.ownId the last message that this page sends: its writer sees it
 * @returns of a box that is drawn from below, so that what is read keeps its place when something is said behind it
 */
function useKeptPlace(lastId: string | undefined, of: { isLive: boolean; ownId: string | undefined }) {
  const { isLive, ownId } = of
  const box = useRef<HTMLDivElement>(null)
  const before = useRef({ lastId, isLive, height: 0 })
  useLayoutEffect(() => {
    const { current } = box
    if (!current) return
    const { scrollHeight: height, scrollTop } = current
    // The end is at 0, and what was said before at negative heights.
    if (isLive && !before.current.isLive) current.scrollTop = 0
    else if (before.current.lastId !== lastId && (!isLive || scrollTop < -endPx))
      current.scrollTop = scrollTop - (height - before.current.height)
    before.current = { lastId, isLive, height }
  })
  useLayoutEffect(() => {
    if (ownId !== undefined) box.current?.scrollTo({ top: 0 })
  }, [ownId])
  // A picture has its height once it is loaded: who is at the end stays there.
  useEffect(() => {
    const { current } = box
    if (!current?.lastElementChild) return
    const growing = new ResizeObserver(() => {
      if (current.scrollTop > -endPx) current.scrollTo({ top: 0 })
      before.current.height = current.scrollHeight
    })
    growing.observe(current.lastElementChild)
    return () => growing.disconnect()
  }, [])
  return box
}
