import type { Session, SignInPlace } from '../../../db/contract/users.ts'
import { type Clock, expiredBy } from '../../base/clock.ts'
import { dayMs } from '../../base/durations.ts'
import { shownNetwork } from '../../base/network.ts'
import type { PeerLookup, Peers } from '../../http/peer.ts'
import { deviceOf } from '../../http/userAgent.ts'

/** A sign-in ends when the console was not open for two weeks, and after 90 days in any case. */
export const sessionIdleMsMax = 14 * dayMs
export const sessionMsMax = 90 * dayMs

export const isSessionOpen = ({ refreshedAt, expiresAt }: Session, clock: Pick<Clock, 'ago'>): boolean =>
  expiresAt > expiredBy(clock, sessionMsMax) && refreshedAt > clock.ago(sessionIdleMsMax)

/** From where a request comes, as it is kept with a sign-in. */
export const signInPlaceOf = (peers: Peers, request: Request, server: PeerLookup | null): SignInPlace => ({
  device: deviceOf(request.headers.get('user-agent')),
  network: shownNetwork(peers.networksOf(request, server)),
})
