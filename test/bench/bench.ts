import { join } from 'node:path'
import { type Certificate, makeCertificate } from './certificate.ts'
import { fill } from './fill.ts'
import { type BenchGateway, type Installation, install, serve } from './gateway.ts'
import type { Options } from './options.ts'
import type { Fleet } from './processes.ts'
import { buildReference, type Reference } from './reference.ts'
import { grouped } from './report.ts'
import type { Seeded } from './traffic.ts'

/** The stub of the upstream platform, at both of its addresses. */
export interface StubUpstream {
  readonly url: string
  readonly tlsUrl: string
}

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
  /** Takes every message at once. */
  readonly upstream: StubUpstream
  /** The setting of a process that lets it trust the stub. Every gateway has it. */
  readonly trust: Readonly<Record<string, string>>
  readonly folder: string
  /** Starts a stub that takes its time. */
  startUpstream(delayMs: number): Promise<StubUpstream>
  /** What the gateway is compared with: built on first use. */
  reference(): Promise<Reference>
  /**
   * Sets up data of its own.
   * @param binary the executable under test when it is not given
   */
  install(name: string, env?: Readonly<Record<string, string>>, binary?: string): Promise<Installation>
  serve(installation: Installation): Promise<BenchGateway>
  /** Fills a database on first use; nobody but reading requests may touch it, so that the groups can share it. */
  storedMessages(messages: number): Promise<StoredMessages>
}

/** More than a reader's cache holds pages, when each is on a page of its own. */
const sampleSize = 20_000
/** Greater than what one page holds, and no divisor of any sample's size: neighbours are not read one after another. */
const sampleStep = 7_919

export async function openBench(options: Options, fleet: Fleet, folder: string): Promise<Bench> {
  const certificate = await makeCertificate(folder)
  const upstream = await startUpstream(fleet, certificate)
  const trust = { NODE_EXTRA_CA_CERTS: certificate.certificatePath }
  const installUnder: Bench['install'] = (name, env = {}, binary = options.binary) =>
    install({ binary, upstreamUrl: upstream.url, dataDir: join(folder, name), env: { ...trust, ...env } })
  let reference: Promise<Reference> | undefined
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
    upstream,
    trust,
    folder,
    startUpstream: delayMs => startUpstream(fleet, certificate, delayMs),
    reference() {
      reference ??= buildReference(options.against, join(folder, 'reference'))
      return reference
    },
    install: installUnder,
    serve: installation => serve({ fleet, installation }),
    storedMessages(messages) {
      const known = filled.get(messages) ?? store(messages)
      filled.set(messages, known)
      return known
    },
  }
}

async function startUpstream(fleet: Fleet, certificate: Certificate, delayMs = 0): Promise<StubUpstream> {
  const { url, tlsUrl } = await fleet.service('upstream.ts', [String(delayMs), JSON.stringify(certificate)])
  if (tlsUrl === undefined) throw new Error('the stub of the upstream has no address over TLS')
  return { url, tlsUrl }
}
