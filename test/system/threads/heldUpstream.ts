import { accept, type Received, startUpstream, type Upstream } from '../../upstream.ts'

/** An upstream that keeps its answers back until it is told otherwise. */
export interface HeldUpstream extends Upstream {
  /** Whose answers are kept back; everybody's until the test says otherwise. */
  holds: (request: Received) => boolean
  /** Answers everything that waits, and whatever comes from now on. */
  release(): void
}

export function startHeldUpstream(): HeldUpstream {
  const gate = Promise.withResolvers<void>()
  const upstream = startUpstream(async request => {
    if (held.holds(request)) await gate.promise
    return accept(request)
  })
  const held: HeldUpstream = Object.assign(upstream, {
    holds: () => true,
    release() {
      gate.resolve()
    },
  })
  return held
}

/** @returns our ids of the messages that reached it, in the order they came. */
export const messageIds = ({ received }: Upstream): string[] =>
  received.map(({ json }) => String(json.biz_opaque_callback_data))

/** @returns those of them that came more than once. */
export function repeated(ids: readonly string[]): string[] {
  return ids.filter((id, at) => ids.indexOf(id) !== at)
}
