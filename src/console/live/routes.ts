import { Elysia } from 'elysia'
import type { Clock } from '../../base/clock.ts'
import { CountTable } from '../../base/countTable.ts'
import { GatewayError } from '../../base/errors.ts'
import type { Batch, FeedListener } from '../../reading/feed.ts'
import { isSessionOpen } from '../access/sessions.ts'
import { guard, type MemberCaller } from '../guard.ts'
import type { ConsoleParts } from '../parts.ts'

/**
 * Often enough that proxies keep the connection open, and that a signed-out user soon gets no more events. A comment is
 * sent each time.
 */
const beatMs = 5_000
/**
 * Pieces that a slow reader may leave unread. Beyond that the connection is closed, and the reader resumes after the
 * last one it got.
 */
const unreadMax = 64

/** Tabs of one user in all workspaces: half of what a workspace has, so that the others follow it too. */
const userStreamsMax = 10

/** `GET …/events`: what changes in the workspace, as server-sent events (WHATWG HTML, 9.2). */
export function eventRoutes(parts: ConsoleParts) {
  /** Open streams by user: no more users than streams. */
  const byUser = new CountTable(Number.POSITIVE_INFINITY)
  return new Elysia({ name: 'console-events', prefix: '/workspaces/:workspaceId' }).use(guard(parts)).get(
    '/events',
    async ({ member, request, set }) => {
      const members = await parts.store.read.members(member.workspaceId)
      const ownerIds = members.flatMap(({ id, role }) => (role === 'owner' ? [id] : []))
      const listen = (listener: FeedListener) =>
        parts.feed.listen(member.workspaceId, request.headers.get('last-event-id'), listener, ownerIds)
      const body = eventStream(parts, byUser, member, listen)
      set.headers['content-type'] = 'text/event-stream; charset=utf-8'
      // Proxies that buffer answers would hold events back.
      set.headers['x-accel-buffering'] = 'no'
      return new Response(body)
    },
    {
      role: 'viewer',
      summary: 'Follow changes',
      description:
        'Server-sent events. `changes` has `subjects`, `messageIds` (null: not all are named), and `signs` that ' +
        'members give each other (`writing`, `given`, `takenOver`), which nobody keeps. `reset`: changes ' +
        'were missed, read everything again. With `Last-Event-ID`, it resumes after that event.',
    },
  )
}

function eventStream(
  parts: ConsoleParts,
  byUser: CountTable,
  member: MemberCaller,
  listen: (listener: FeedListener) => (() => void) | null,
): ReadableStream<Uint8Array> {
  const { clock } = parts
  const encoder = new TextEncoder()
  let end = () => {}
  return new ReadableStream<Uint8Array>({
    start(controller) {
      let isOver = false
      const write = (text: string) => {
        if (isOver) return
        if ((controller.desiredSize ?? 0) < -unreadMax) return end()
        controller.enqueue(encoder.encode(text))
      }
      const listener: FeedListener = {
        take: batch => write(eventOf('changes', batch)),
        reset: id => write(eventOf('reset', { id, subjects: [], messageIds: null, signs: [] })),
        end: () => end(),
      }
      if (byUser.count(member.user.id) >= userStreamsMax)
        throw tooMany('You follow changes in too many pages. Close some of them.')
      const leave = listen(listener)
      if (!leave) throw tooMany('Too many pages follow changes. Close some of them.')
      byUser.add(member.user.id, 1)
      const stopBeating = beat(clock, async () => {
        if (await mayStillListen(parts, member)) write(': still here\n\n')
        else end()
      })
      end = () => {
        if (isOver) return
        isOver = true
        leave()
        byUser.add(member.user.id, -1)
        stopBeating()
        try {
          controller.close()
        } catch {
          // The reader has disconnected.
        }
      }
    },
    cancel: () => end(),
  })
}

const tooMany = (message: string) => new GatewayError({ reason: 'SERVICE_UNAVAILABLE', message, retryAfterMs: 30_000 })

const eventOf = (type: string, { id, ...told }: Batch) => `id: ${id}\nevent: ${type}\ndata: ${JSON.stringify(told)}\n\n`

/** Whether the user is still signed in, and still a member. */
async function mayStillListen({ store, clock }: ConsoleParts, { sessionId, user, workspaceId }: MemberCaller) {
  const session = await store.read.session(sessionId)
  if (!session || !isSessionOpen(session, clock)) return false
  return (await store.read.roleIn({ workspaceId, userId: user.id })) !== null
}

/** @returns a function that ends it */
function beat(clock: Pick<Clock, 'setTimer'>, each: () => Promise<void>): () => void {
  let isOver = false
  const next = () =>
    clock.setTimer(beatMs, () => {
      // A failed read is retried at the next beat.
      void each()
        .catch(() => {})
        .then(() => {
          if (!isOver) cancel = next()
        })
    })
  let cancel = next()
  return () => {
    isOver = true
    cancel()
  }
}
