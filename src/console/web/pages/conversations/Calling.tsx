import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef } from 'react'
import { useLocation } from 'wouter'
import { answerOf } from '../../api/client.ts'
import { useLive, useSigns } from '../../api/live.tsx'
import { isLookedAt } from '../../api/tabs.ts'
import { useAccount, useWorkspace } from '../../app/session.tsx'
import { useLiveQuery, useWorkspaceRoutes, workspaceKey } from '../../app/workspaceData.ts'
import { markTab } from '../../components/useDocumentTitle.ts'
import { texts } from '../../texts/texts.ts'
import { contactName } from '../contacts/queries.ts'
import { ring, show } from './call.ts'
import { countParts, useCounts, useUnreadCount } from './queries.ts'

const words = texts.conversations

/** Says on the browser's tab how many conversations nobody has read, and calls who wants to be called. */
export function Calling() {
  const { notifications } = useAccount().preferences
  const { isFirstTab } = useLive()
  const unread = useUnreadCount()
  useSharedCounts()
  useEffect(() => {
    markTab(unread)
    return () => markTab(null)
  }, [unread])
  return isFirstTab && notifications !== 'off' ? <Caller key={notifications} of={notifications} /> : null
}

/** A tab in the background follows nothing: the first one tells it the numbers. */
function useSharedCounts() {
  const { id } = useWorkspace()
  const { isFirstTab } = useLive()
  const queries = useQueryClient()
  const { data } = useCounts()
  useEffect(() => {
    const told = new BroadcastChannel(`waypost-counts-${id}`)
    told.onmessage = event => queries.setQueryData(workspaceKey(id, ...countParts), event.data)
    if (isFirstTab && data) told.postMessage(data)
    return () => told.close()
  }, [id, isFirstTab, data, queries])
}

/** More at once are told as a number. */
const namedMax = 3

/** Tells of what was written since the one before. */
function Caller({ of }: { of: 'mine' | 'all' }) {
  const { id: workspaceId } = useWorkspace()
  const { user, preferences } = useAccount()
  const { sound, notificationText } = preferences
  const { routes } = useWorkspaceRoutes()
  const [, goTo] = useLocation()
  const query = { show: of === 'mine' ? of : 'open', unread: 'true', limit: 10 } as const
  const { data } = useLiveQuery(['contacts'], ['conversations', 'called', of], routes =>
    routes.conversations.get({ query }),
  )
  const path = `/w/${workspaceId}/conversations`
  useSigns(async ({ kind, contactId, by, to }) => {
    if (kind === 'writing' || to !== user.id) return
    if (sound) ring()
    const { contact } = await answerOf(routes.contacts({ contactId }).get())
    show(contactName(contact), words.signs[kind](by.name), contactId, () => goTo(`${path}/${contactId}`))
  })
  const heard = useRef<number | null>(null)
  const call = useEffectEvent(async ({ conversations }: NonNullable<typeof data>) => {
    const before = heard.current
    heard.current = Math.max(before ?? 0, ...conversations.map(({ upTo }) => upTo))
    const fresh = conversations.filter(({ upTo }) => before !== null && upTo > before)
    if (fresh.length === 0 || (await isLookedAt())) return
    if (sound) ring()
    if (fresh.length > namedMax) return show(words.calledBy(fresh.length), '', path, () => goTo(path))
    for (const { contact, last } of fresh) {
      const said = notificationText && !last.isOurs ? (last.words ?? words.types[last.type]) : words.called
      show(contactName(contact), said, contact.id, () => goTo(`${path}/${contact.id}`))
    }
  })
  useEffect(() => {
    if (data) void call(data)
  }, [data])
  return null
}
