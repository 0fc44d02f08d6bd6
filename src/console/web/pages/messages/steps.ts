/** What a timeline has of an event. */
interface Happening {
  readonly event: string
  readonly at: string
}

/** An event with its place in the life of a message. */
export interface TimelineStep<Entry> {
  readonly entry: Entry
  /** Seconds since the event before; null for the first one. */
  readonly afterSeconds: number | null
  /** Which attempt it ended; null when there was one only. */
  readonly attempt: number | null
}

/** An answer of the upstream, or none, ends an attempt. */
const ends: ReadonlySet<string> = new Set(['accepted', 'deferred', 'lost', 'refused'])

/** @param timeline oldest first */
export function timelineSteps<Entry extends Happening>(timeline: readonly Entry[]): TimelineStep<Entry>[] {
  const attempts = timeline.filter(({ event }) => ends.has(event))
  return timeline.map((entry, at) => {
    const before = timeline[at - 1]
    return {
      entry,
      // The clock of the platform is another one, and says whole seconds.
      afterSeconds: before ? Math.max(0, Date.parse(entry.at) - Date.parse(before.at)) / 1_000 : null,
      attempt: attempts.length > 1 && ends.has(entry.event) ? attempts.indexOf(entry) + 1 : null,
    }
  })
}
