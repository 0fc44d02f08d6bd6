import {
  type RefObject,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import { hasFocus, onFocus } from '../../api/tabs.ts'
import { useWorkspace } from '../../app/session.tsx'
import { useWorkspaceRoutes } from '../../app/workspaceData.ts'
import type { ConversationPage, useConversation } from './queries.ts'
import { createReading } from './reading.ts'
import { type ThreadItem, unreadOf } from './thread.ts'

type Query = ReturnType<typeof useConversation>
type Box = RefObject<HTMLElement | null>

const pageClock = {
  steady: () => performance.now(),
  setTimer(delayMs: number, fire: () => void) {
    const timer = setTimeout(fire, delayMs)
    return () => clearTimeout(timer)
  },
}

/** Pages that are read to open at what is unread: the gateway counts a hundred messages. It goes on by scrolling. */
const openingPagesMax = 4

/** Of a message that is higher than the box, a step is still seen. */
const steps = Array.from({ length: 41 }, (_, step) => step / 40)

/** @returns which of these entries stand in the box, at least half of each, or filling half of the box */
function useShown(box: Box, ids: readonly string[]): ReadonlySet<string> {
  const [shown, setShown] = useState<ReadonlySet<string>>(new Set())
  const all = ids.join(' ')
  // biome-ignore lint/correctness/useExhaustiveDependencies: by their names
  useEffect(() => {
    const { current } = box
    if (!current || all === '') return
    const watching = new IntersectionObserver(
      changes =>
        setShown(before => {
          const now = new Set(before)
          for (const { target, intersectionRect, boundingClientRect } of changes) {
            const id = target.getAttribute('data-entry') ?? ''
            const isShown = intersectionRect.height >= Math.min(boundingClientRect.height, current.clientHeight) / 2
            if (isShown && intersectionRect.height > 0) now.add(id)
            else now.delete(id)
          }
          return now
        }),
      { threshold: steps },
    )
    for (const id of ids) {
      const entry = current.querySelector(`[data-entry="${CSS.escape(id)}"]`)
      if (entry) watching.observe(entry)
    }
    return () => watching.disconnect()
  }, [all])
  return shown
}

/**
 * Tells the gateway what was read, for who may: what stood on the screen. A failure is told at the next look.
 * @param isLive false: the box shows what was said once
 */
export function useReading(of: {
  contactId: string
  page: ConversationPage
  items: readonly ThreadItem[]
  query: Query
  box: Box
  isLive: boolean
}) {
  const { contactId, page, items, query, box, isLive } = of
  const { isFetching, hasNextPage } = query
  const { can } = useWorkspace()
  const { routes, refresh } = useWorkspaceRoutes()
  const isSeen = useSyncExternalStore(onFocus, hasFocus) && can('member') && isLive
  const tell = useEffectEvent(async (upTo: number) => {
    const { data } = await routes.contacts({ contactId }).read.post({ upTo })
    if (data?.wasUnread) await refresh('conversations')
    return data !== null
  })
  const reading = useRef<ReturnType<typeof createReading>>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each conversation is read by itself
  useEffect(() => {
    reading.current = createReading(pageClock, upTo => tell(upTo))
    return () => reading.current?.end()
  }, [contactId])
  const unread = unreadOf(page, items, hasNextPage)
  const shown = useShown(box, unread?.map(({ id }) => id) ?? [])
  useEffect(() => {
    if (!isSeen) return reading.current?.look(null)
    // What is read just now may be of before somebody marked it.
    if (isFetching) return
    if (page.unreadFrom === null) reading.current?.allRead(page.upTo)
    const upTo = Math.max(page.upTo, unread?.at(-1)?.upTo ?? 0)
    // What has no place of its own, as a reaction has none, is read with the rest.
    const rest = { id: `rest ${upTo}`, upTo, isShown: true }
    const marks = unread?.map(one => ({ ...one, isShown: shown.has(one.id) }))
    reading.current?.look(page.unreadFrom !== null && marks ? [...marks, rest] : [])
  })
}

/**
 * Opens a conversation at the first message that is unread, where that stands further up than its end shows.
 * @param of.isLive false: it opens at what a search found
 * @returns the entry before which it says how many are unread, for as long as the conversation is open
 */
export function useOpening(of: {
  page: ConversationPage
  pages: number
  items: readonly ThreadItem[]
  query: Query
  box: Box
  isLive: boolean
}): { readonly id: string; readonly count: number } | null {
  const { page, pages, items, query, box, isLive } = of
  const { isFetching, isError, hasNextPage, fetchNextPage } = query
  const [opened, setOpened] = useState<{ readonly first: { id: string; count: number } | null } | null>(null)
  const unread = unreadOf(page, items, hasNextPage)
  useEffect(() => {
    if (opened !== null || (isLive && isFetching)) return
    if (!isLive) return setOpened({ first: null })
    if (unread === null && pages < openingPagesMax && !isError) return void fetchNextPage()
    const ids = new Set(unread?.map(({ id }) => id))
    // Of more than was read, the oldest that is here.
    const first = unread === null ? items[0] : items.find(({ entry }) => ids.has(entry.id))
    setOpened({ first: first ? { id: first.entry.id, count: page.unread } : null })
  })
  const first = opened?.first?.id
  useLayoutEffect(() => {
    const { current } = box
    const mark = first === undefined ? null : current?.querySelector('[data-unread-below]')
    if (!current || !mark) return
    const above = mark.getBoundingClientRect().top - current.getBoundingClientRect().top
    if (above < 0) current.scrollTop += above
  }, [box, first])
  return opened?.first ?? null
}
