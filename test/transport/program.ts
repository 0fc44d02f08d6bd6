import { systemClock } from '../../src/base/clock.ts'
import { createTransport, type Exchange, type HttpRequest } from '../../src/transport/transport.ts'

/** What this program reads from its standard input. Run as a process of its own, from source or compiled. */
export interface Program {
  /** The requests of a batch are made at the same time, the batches one after the other. */
  readonly batches: readonly (readonly HttpRequest[])[]
  readonly ca?: string
}

const { batches, ca } = (await Bun.stdin.json()) as Program
const transport = createTransport(systemClock, ca === undefined ? {} : { ca })
const ends: Exchange[][] = []
for (const batch of batches) ends.push(await Promise.all(batch.map(request => transport.exchange(request))))
// Not closed: idle connections keep no process alive.
process.stdout.write(JSON.stringify(ends))
