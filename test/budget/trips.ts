import { type AddressInfo, connect, createServer } from 'node:net'

/**
 * The way to a PostgreSQL server, on which trips are counted: what is asked while nothing that was asked before is still to
 * be answered on the connection. Statements that leave one after another without waiting are one trip.
 */
export interface CountedWay {
  /** The same database on this way. */
  readonly url: string
  /** So far. */
  readonly trips: number
  close(): void
}

const readyForQuery = 'Z'
/** Each of them is answered by one ReadyForQuery: Sync, Query, and the first message of a connection. */
const asking = new Set(['S', 'Q', ''])
/**
 * Each message begins with its type and its length, which counts itself; the first of a client has no type.
 * @returns tells the types of the messages that a piece of a stream completes
 */
function messageTypes(hasUntypedFirst: boolean): (piece: Buffer) => string[] {
  let rest = Buffer.alloc(0)
  let isFirst = hasUntypedFirst
  return piece => {
    rest = Buffer.concat([rest, piece])
    const types: string[] = []
    for (;;) {
      const at = isFirst ? 0 : 1
      if (rest.length < at + 4 || rest.length < at + rest.readInt32BE(at)) return types
      types.push(isFirst ? '' : String.fromCharCode(rest[0] ?? 0))
      rest = rest.subarray(at + rest.readInt32BE(at))
      isFirst = false
    }
  }
}

export async function countTrips(databaseUrl: string): Promise<CountedWay> {
  const target = new URL(databaseUrl)
  let trips = 0
  const listener = createServer(near => {
    const far = connect(Number(target.port), target.hostname)
    const asked = messageTypes(true)
    const answered = messageTypes(false)
    let open = 0
    far.on('data', bytes => {
      // What left together with the question comes first, even where it comes in a piece of its own.
      setImmediate(() => {
        open -= answered(bytes).filter(type => type === readyForQuery).length
        near.write(bytes)
      })
    })
    near.on('data', bytes => {
      const questions = asked(bytes).filter(type => asking.has(type)).length
      if (questions > 0 && open <= 0) trips += 1
      open += questions
      far.write(bytes)
    })
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      one.on('error', () => {})
      one.on('close', () => other.destroy())
    }
  })
  await new Promise<void>(resolve => listener.listen(0, '127.0.0.1', resolve))
  const url = new URL(databaseUrl)
  url.port = String((listener.address() as AddressInfo).port)
  return {
    url: url.href,
    get trips() {
      return trips
    },
    close: () => void listener.close(),
  }
}
