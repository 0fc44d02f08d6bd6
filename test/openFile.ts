import { openStore } from '../db/sqlite/store.ts'
import { type Clock, systemClock } from '../src/base/clock.ts'
import { silentLogger } from '../src/telemetry/log.ts'

/** Opens the file of a database in this process, as a gateway does. */
export const openFile = (path: string, clock: Clock = systemClock) =>
  openStore({ path, clock, log: silentLogger, onWriterLost: () => {} })
