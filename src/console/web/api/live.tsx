import { useDebouncedValue, useDocumentVisibility } from '@mantine/hooks'
import { hashKey, type QueryKey, useQueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import type { Sign } from '../../../../db/contract/shared.ts'
import { minuteMs } from '../../../base/durations.ts'
import type { Subject } from '../../../reading/announcements.ts'
import { eventStream, type StreamEvent, type StreamState } from './eventStream.ts'
import { type MessageIds, paced, promptMs } from './paced.ts'
import { useFirstTab } from './tabs.ts'

export type { Sign }

interface Live {
  /** Null: no page follows the events. */
  readonly state: StreamState | null
  follow(take: (event: StreamEvent) => void): () => void
  reconnect(): void
  /** As `useFirstTab` says. */
  readonly isFirstTab: boolean
}

const LiveContext = createContext<Live>({ state: null, follow: () => () => {}, reconnect: () => {}, isFirstTab: false })

/** Tabs in the background give their connection back, but for one: over HTTP/1.1 a browser has six for all of them. */
const hiddenMs = minuteMs

/** One connection for all parts of the page that follow events; none while no part does. */
export function LiveProvider({ workspaceId, children }: { workspaceId: string; children: ReactNode }) {
  const [state, setState] = useState<StreamState | null>(null)
  const [isFollowed, setFollowed] = useState(false)
  const followers = useRef(new Set<(event: StreamEvent) => void>())
  const stream = useRef<ReturnType<typeof eventStream> | null>(null)
  const queries = useQueryClient()

  // Back from the background, the page reads everything again by itself (queries.ts).
  const isHidden = useDocumentVisibility() === 'hidden'
  const [wasHidden] = useDebouncedValue(isHidden, hiddenMs)
  const isFirstTab = useFirstTab(workspaceId)
  const isOpen = isFollowed && (isFirstTab || !(isHidden && wasHidden))
  useEffect(() => {
    if (!isOpen) return
    let wasLost = false
    const opened = eventStream(
      `/api/v1/workspaces/${workspaceId}/events`,
      event => {
        for (const take of followers.current) take(event)
      },
      next => {
        setState(next)
        // Missed changes are also reloaded, in case the gateway keeps fewer events than were missed.
        if (next === 'live' && wasLost) void queries.invalidateQueries()
        if (next === 'lost') wasLost = true
        if (next === 'live') wasLost = false
      },
    )
    stream.current = opened
    opened.connect()
    return () => {
      opened.close()
      stream.current = null
      setState(null)
    }
  }, [isOpen, workspaceId, queries])

  const live = useMemo<Live>(
    () => ({
      state,
      follow(take) {
        followers.current.add(take)
        setFollowed(true)
        return () => {
          followers.current.delete(take)
          setFollowed(followers.current.size > 0)
        }
      },
      reconnect: () => stream.current?.connect(),
      isFirstTab,
    }),
    [state, isFirstTab],
  )
  return <LiveContext value={live}>{children}</LiveContext>
}

/** The state of the connection, for the frame of the page. */
export const useLive = (): Live => useContext(LiveContext)

/** Calls `take` for each event of the workspace, as long as the component is shown. */
function useLiveEvents(take: (event: StreamEvent) => void): void {
  const { follow } = useContext(LiveContext)
  const onEvent = useEffectEvent(take)
  // biome-ignore lint/correctness/useExhaustiveDependencies: `follow` changes with the state, and means the same
  useEffect(() => follow(event => onEvent(event)), [])
}

/** What an event tells. */
interface Changes {
  readonly subjects: readonly Subject[]
  readonly messageIds: MessageIds
  /** An instance of an earlier version tells none. */
  readonly signs?: readonly Sign[]
}

/** Calls `take` for each sign that a member gives. */
export const useSigns = (take: (sign: Sign) => void): void =>
  useLiveEvents(({ data }) => {
    for (const sign of (JSON.parse(data) as Changes).signs ?? []) take(sign)
  })

/** Of numbers, and lists with numbers, that cost the gateway more than a page of messages. */
export const figuresPauseMs = 5_000

/**
 * Reads when something of these subjects has changed: at most once in a pause, one reading at a time.
 * @param queryKey what is read
 * @param read gets which messages have changed since the last reading of it; the first one is not told
 */
export function useLiveReading(
  subjects: readonly Subject[],
  queryKey: QueryKey,
  read: (messageIds: MessageIds) => Promise<unknown>,
  pauseMs = promptMs,
): void {
  const { state } = useLive()
  // What is shown when the time has come: a list may have been left and opened again since somebody asked.
  const readShown = useEffectEvent(read)
  const [pace] = useState(() => paced(pauseMs, messageIds => readShown(messageIds)))
  useEffect(() => pace.end, [pace])
  // biome-ignore lint/correctness/useExhaustiveDependencies: what changed before either did was told to nobody
  useEffect(() => pace.miss(), [pace, state, hashKey(queryKey)])
  useLiveEvents(({ event, data }) => {
    const { subjects: changed, messageIds } = JSON.parse(data) as Changes
    if (event === 'reset' || changed.some(subject => subjects.includes(subject))) pace.ask(messageIds)
  })
}

/** Reads queries again when something of these subjects has changed. */
export function useLiveQueries(subjects: readonly Subject[], queryKey: QueryKey, pauseMs?: number): void {
  const queries = useQueryClient()
  useLiveReading(subjects, queryKey, () => queries.invalidateQueries({ queryKey }), pauseMs)
}
