import { join } from 'node:path'
import { hasPostgres } from '../../postgres.ts'
import type { Fleet } from '../processes.ts'
import { openOurs } from './ours.ts'
import type { Peer, PeerHere, Setup } from './peer.ts'
import { hasRedis } from './servers.ts'
import { type Installed, installTheirs, openTheirs } from './theirs.ts'

export const gateways = ['sqlite', 'postgres', 'express', 'bullmq'] as const
export type Gateway = (typeof gateways)[number]

const onPostgres = 'PostgreSQL: each commit is synced'

/** All that are asked for, in this order: what is missing here is told by its name. */
export async function peersOf(
  asked: readonly Gateway[],
  run: { readonly fleet: Fleet; readonly folder: string; readonly binary: string },
): Promise<Peer[]> {
  const isTheirs = asked.includes('express') || asked.includes('bullmq')
  const installed = isTheirs && hasPostgres ? await tryInstall(join(run.folder, 'theirs')) : null
  const theirs = (kind: 'express' | 'bullmq') =>
    installed === null || typeof installed === 'string'
      ? `their packages cannot be installed: ${installed}`
      : (setup: Setup) => openTheirs({ fleet: run.fleet, installed }, kind, setup)

  const all: Readonly<Record<Gateway, () => Peer>> = {
    sqlite: () =>
      here('Waypost on SQLite', true, 'SQLite: each commit is synced', setup => openOurs(run, 'SQLite', setup)),
    postgres: () =>
      hasPostgres
        ? here('Waypost on PostgreSQL', true, onPostgres, setup => openOurs(run, 'PostgreSQL', setup))
        : missing('Waypost on PostgreSQL', postgresMissing),
    express: () => theirPeer('Express + PostgreSQL', onPostgres, hasPostgres ? theirs('express') : postgresMissing),
    bullmq: () => {
      const name = 'Express + BullMQ + PostgreSQL'
      if (!hasRedis) return missing(name, 'redis-server is not installed')
      const durability = `${onPostgres}; Redis, of the queue alone: synced once a second`
      return theirPeer(name, durability, hasPostgres ? theirs('bullmq') : postgresMissing)
    },
  }
  return asked.map(name => all[name]())
}

const postgresMissing = 'PostgreSQL is not installed'

/** @param open or what is missing for it */
const theirPeer = (name: string, durability: string, open: string | PeerHere['open']): Peer =>
  typeof open === 'string' ? missing(name, open) : here(name, false, durability, open)

const here = (name: string, isOurs: boolean, durability: string, open: PeerHere['open']): Peer => ({
  ...{ name, isOurs, durability, open },
  isHere: true,
})

const missing = (name: string, what: string): Peer => ({ name, isHere: false, missing: what })

/** @returns or what went wrong */
const tryInstall = (folder: string): Promise<Installed | string> =>
  installTheirs(folder).catch((error: unknown) => (error instanceof Error ? error.message : String(error)))
