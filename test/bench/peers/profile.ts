import type { Fleet } from '../processes.ts'
import type { Figures } from './figures.ts'
import type { Memory, Opened, Peer, PeerHere } from './peer.ts'

/** What a profile works with. What it starts ends with it. */
export interface Run {
  readonly fleet: Fleet
  readonly folder: string
  readonly peers: readonly Peer[]
  /** Of each side, in turn. */
  readonly rounds: number
  /** Less of everything: to see that everything works, not to be believed. */
  readonly isQuick: boolean
}

/** Tells each table as soon as it is measured. */
export type Profile = (run: Run) => AsyncIterable<Figures>

export const hereOf = ({ peers }: Run): PeerHere[] => peers.filter(peer => peer.isHere)

/** As long as nothing else is said: our own default. */
export const usualWaitMs = 10_000

export interface OpenedPeer {
  readonly peer: PeerHere
  readonly upstreamUrl: string
  readonly opened: Opened
}

/**
 * Opens each peer that is here, one after the other, so that each has the machine for its start.
 * @param delayMs of the platform. Each has one of its own: nobody's late sends are counted for another
 */
export async function openAll(run: Run, name: string, delayMs: number): Promise<OpenedPeer[]> {
  const all: OpenedPeer[] = []
  for (const peer of hereOf(run)) {
    const { url: upstreamUrl } = await run.fleet.service('upstream.ts', [String(delayMs)])
    const opened = await peer.open({ name, upstreamUrl, perSecond: null, waitMs: usualWaitMs })
    all.push({ peer, upstreamUrl, opened })
  }
  return all
}

/** @returns what was left out, in sentences */
export const leftOut = ({ peers }: Run): string[] =>
  peers.flatMap(peer => (peer.isHere ? [] : [`Left out: ${peer.name}, as ${peer.missing}.`]))

/** @returns the programs that the gateways ran on and beside, each once */
export const programsOf = (all: readonly Pick<OpenedPeer, 'opened'>[]): string[] => [
  ...new Set(all.flatMap(({ opened }) => opened.programs)),
]

/** @returns the memory of the gateway and of its servers, in megabytes */
export const shownMemory = ({ gatewayMb, serversMb }: Memory): string =>
  gatewayMb === null || serversMb === null ? '' : `${Math.round(gatewayMb)} + ${Math.round(serversMb)}`
