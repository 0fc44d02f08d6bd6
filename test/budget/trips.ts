import { type AddressInfo, connect, createServer } from 'node:net'

/** The way to a PostgreSQL server, on which trips are counted: what is asked until the server is ready for the next. */
export interface CountedWay {
  /** The same database on this way. */
  readonly url: string
  /** So far. */
  readonly trips: number
  close(): void
}

const readyForQuery = 'Z'.charCodeAt(0)
/** Each message of the server begins with its type and its length, which counts itself. */
const headerBytes = 5

export async function countTrips(databaseUrl: string): Promise<CountedWay> {
  const target = new URL(databaseUrl)
  let trips = 0
  const listener = createServer(near => {
    const far = connect(Number(target.port), target.hostname)
    let rest = Buffer.alloc(0)
    far.on('data', bytes => {
      rest = Buffer.concat([rest, bytes])
      while (rest.length >= headerBytes && rest.length > rest.readInt32BE(1)) {
        if (rest[0] === readyForQuery) trips += 1
        rest = rest.subarray(1 + rest.readInt32BE(1))
      }
      near.write(bytes)
    })
    near.on('data', bytes => far.write(bytes))
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
