import { Button, Loader } from '@mantine/core'
import { useInViewport } from '@mantine/hooks'
import { Fragment, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useWorkspace } from '../../app/session.tsx'
import { useWorkspaceRoutes } from '../../app/workspaceData.ts'
import { Hint } from '../../components/Hint.tsx'
import { Loaded } from '../../components/Loaded.tsx'
import { Time } from '../../components/Time.tsx'
import { useNow } from '../../components/useNow.ts'
import { texts } from '../../texts/texts.ts'
import { EntryView } from './EntryView.tsx'
import { type ConversationPage, useConversation } from './queries.ts'
import { threadOf } from './thread.ts'

const words = texts.conversations

/** Who only passes by has not read it. */
const readMs = 1_000
/** Nearer to the end counts as the end. */
const endPx = 60

/** What a person wrote and was sent. It follows what is said, and is read by who looks at it. */
export function Conversation({ contactId }: { contactId: string }) {
  const query = useConversation(contactId)
  const newest = query.data?.pages[0]
  useReading(contactId, newest, query.dataUpdatedAt)
  return (
    <Loaded query={query}>
      {({ pages }) => (
        <div className="conversation">
          {newest && <Window endsAt={newest.windowEndsAt} />}
          <Log
            pages={pages}
            readOlder={query.hasNextPage && !query.isFetchingNextPage ? () => void query.fetchNextPage() : null}
            isReading={query.isFetchingNextPage}
            isStuck={query.isFetchNextPageError}
          />
        </div>
      )}
    </Loaded>
  )
}

/** Tells the gateway what was shown, for who may. A failure is told at the next look. */
function useReading(contactId: string, newest: ConversationPage | undefined, shownAt: number) {
  const { can } = useWorkspace()
  const { routes, refresh } = useWorkspaceRoutes()
  const isMember = can('member')
  const { upTo = 0, unread = 0 } = newest ?? {}
  // biome-ignore lint/correctness/useExhaustiveDependencies: the routes are the same ones; each reading looks again
  useEffect(() => {
    if (!isMember || unread === 0 || document.hidden) return
    const timer = setTimeout(async () => {
      const { error } = await routes.contacts({ contactId }).read.post({ upTo })
      if (!error) await refresh('conversations')
    }, readMs)
    return () => clearTimeout(timer)
  }, [contactId, isMember, upTo, unread, shownAt])
}

function Window({ endsAt }: { endsAt: string | null }) {
  const now = useNow()
  if (endsAt === null) return <Hint>{words.windowNever}</Hint>
  const minutes = Math.ceil((Date.parse(endsAt) - now) / 60_000)
  if (minutes > 0) return <Hint>{words.windowOpen(words.rest(Math.floor(minutes / 60), minutes % 60))}</Hint>
  return (
    <Hint>
      {words.windowClosed} <Time at={endsAt} precision="relative" />.
    </Hint>
  )
}

interface LogProps {
  readonly pages: readonly ConversationPage[]
  /** Null: there are none, or they are being read. */
  readonly readOlder: (() => void) | null
  readonly isReading: boolean
  /** The last reading failed: the next one is asked for by hand. */
  readonly isStuck: boolean
}

/**
 * Its end is what stands still: the box is drawn from below (conversations.css), so that neither an older page nor a
 * picture that is loaded above moves what is read.
 */
function Log({ pages, readOlder, isReading, isStuck }: LogProps) {
  const entries = [...pages].reverse().flatMap(page => page.entries)
  const known = new Set(entries.map(({ channelMessageId }) => channelMessageId))
  const { box, isAway, onScroll, toEnd } = useEnd(entries.at(-1)?.id)
  const { ref, inViewport } = useInViewport()
  // biome-ignore lint/correctness/useExhaustiveDependencies: once each time that it comes into view
  useEffect(() => {
    if (inViewport && !isStuck) readOlder?.()
  }, [inViewport, isReading])
  return (
    <div className="conversation-frame">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and a keyboard must reach it */}
      <div className="conversation-log" role="log" aria-label={words.log} tabIndex={0} ref={box} onScroll={onScroll}>
        <ol className="plain-list">
          {(readOlder || isReading) && (
            <li ref={ref} className="conversation-day">
              {isReading ? (
                <Loader size="sm" />
              ) : (
                <Button size="compact-sm" variant="subtle" onClick={() => readOlder?.()}>
                  {words.earlier}
                </Button>
              )}
            </li>
          )}
          {entries.length === 0 && <Hint>{words.logEmpty}</Hint>}
          {threadOf(entries).map(item => (
            <Fragment key={item.entry.id}>
              {item.isNewDay && (
                <li className="conversation-day">
                  <Time at={item.entry.at} precision="day" />
                </li>
              )}
              <EntryView item={item} isKnown={id => known.has(id)} />
            </Fragment>
          ))}
        </ol>
      </div>
      {isAway && (
        <Button className="conversation-end" size="compact-sm" onClick={toEnd}>
          {words.toEnd} ↓
        </Button>
      )}
    </div>
  )
}

/** Keeps what is read in its place when something is said behind it. @param last the id of the last message */
function useEnd(last: string | undefined) {
  const box = useRef<HTMLDivElement>(null)
  const [isAway, setAway] = useState(false)
  const before = useRef({ last, height: 0 })
  useLayoutEffect(() => {
    const { current } = box
    if (!current) return
    const { scrollHeight: height, scrollTop } = current
    // From below: the end is at 0, and what was said before at negative heights.
    if (before.current.last !== last && scrollTop < -endPx)
      current.scrollTop = scrollTop - (height - before.current.height)
    before.current = { last, height }
  })
  return {
    ...{ box, isAway },
    onScroll: () => setAway((box.current?.scrollTop ?? 0) < -endPx),
    toEnd: () => box.current?.scrollTo({ top: 0, behavior: 'smooth' }),
  }
}
