import { join } from 'node:path'
import { fill } from './fill.ts'
import { type BenchGateway, type Installation, install, serve } from './gateway.ts'
import type { Options } from './options.ts'
import type { Fleet } from './processes.ts'
import { grouped } from './report.ts'
import type { Seeded } from './traffic.ts'

/** Data with many messages. */
export interface StoredMessages extends Installation {
  readonly messages: number
  /** Spread over all of them, and in no order. */
  readonly sample: readonly Seeded[]
}

/** What every group works with. What a group starts ends with it. */
export interface Bench {
  readonly options: Options
  readonly fleet: Fleet
  /** A stub that takes every message at once. */
  readonly upstreamUrl: string
  readonly folder: string
  /** Sets up data of its own. */
  install(name: string, env?: Readonly<Record<string, string>>): Promise<Installation>
  serve(installation: Installation): Promise<BenchGateway>
  /** Fills a database on first use; nobody but reading requests may touch it, so that the groups can share it. */
  storedMessages(messages: number): Promise<StoredMessages>
}

/** More than a reader's cache holds pages, when each is on a page of its own. */
const sampleSize = 20_000
/** Greater than what one page holds, and no divisor of any sample's size: neighbours are not read one after another. */
const sampleStep = 7_919

export async function openBench(options: Options, fleet: Fleet, folder: string): Promise<Bench> {
  const { binary } = options
  const upstreamUrl = await fleet.service('upstream.ts')
  const installUnder: Bench['install'] = (name, env = {}) =>
    install({ binary, upstreamUrl, dataDir: join(folder, name), env })
  const filled = new Map<number, Promise<StoredMessages>>()

  async function store(messages: number): Promise<StoredMessages> {
    console.error(`storing ${grouped(messages)} messages …`)
    const installation = await installUnder(`stored-${messages}`)
    const keepEvery = Math.max(1, Math.floor(messages / sampleSize))
    const kept = await fill({ installation, messages, outcome: 'SENT or READ', keepEvery })
    const sample = kept.map((message, at) => kept[(at * sampleStep) % kept.length] ?? message)
    return { ...installation, messages, sample }
  }

  return {
    options,
    fleet,
    upstreamUrl,
    folder,
    install: installUnder,
    serve: installation => serve({ fleet, binary, installation }),
    storedMessages(messages) {
      const known = filled.get(messages) ?? store(messages)
      filled.set(messages, known)
      return known
    },
  }
}
