import type { SignInPlace } from '../../../db/contract/users.ts'
import { shownNetwork } from '../../base/network.ts'
import type { PeerLookup, Peers } from '../../http/peer.ts'
import { deviceOf } from '../../http/userAgent.ts'

/** From where a request comes, as it is kept with a sign-in. */
export const signInPlaceOf = (peers: Peers, request: Request, server: PeerLookup | null): SignInPlace => ({
  device: deviceOf(request.headers.get('user-agent')),
  network: shownNetwork(peers.networksOf(request, server)),
})
