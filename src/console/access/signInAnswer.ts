import type { PeerLookup } from '../../http/peer.ts'
import type { ConsoleParts } from '../parts.ts'
import { cookieOf, refreshCookie, setCookie } from './cookies.ts'
import { deviceCookie, deviceMsMax, knownDevice, newDevice } from './devices.ts'
import { sessionIdleMsMax } from './sessions.ts'
import { type SignIn, sessionView } from './signIns.ts'

/** The part of a route's context that an answer with cookies needs. */
interface Context {
  readonly request: Request
  readonly server: PeerLookup | null
  readonly set: { readonly headers: Record<string, unknown> }
}

type Parts = Pick<ConsoleParts, 'store' | 'tokens' | 'peers' | 'deviceKey'>

/**
 * Answers a sign-in that has just begun: sets the cookie that refreshes it, and the one that recognises the browser.
 */
export function answerSignIn({ store, tokens, peers, deviceKey }: Parts, context: Context, signIn: SignIn) {
  const { request, server, set } = context
  const { email } = signIn.user
  const byTls = peers.cameByTls(request, server)
  const given = cookieOf(request, deviceCookie)
  const device = given !== null && knownDevice(deviceKey, given, email) !== null ? given : newDevice(deviceKey, email)
  set.headers['set-cookie'] = [
    setCookie({ name: refreshCookie, value: signIn.refreshToken, maxAgeMs: sessionIdleMsMax, byTls }),
    setCookie({ name: deviceCookie, value: device, maxAgeMs: deviceMsMax, byTls }),
  ]
  return sessionView({ read: store.read, tokens }, signIn)
}

/** Sets the cookie of a continued sign-in. */
export function answerRefresh({ store, tokens, peers }: Parts, { request, server, set }: Context, signIn: SignIn) {
  const byTls = peers.cameByTls(request, server)
  const { refreshToken: value } = signIn
  set.headers['set-cookie'] = setCookie({ name: refreshCookie, value, maxAgeMs: sessionIdleMsMax, byTls })
  return sessionView({ read: store.read, tokens }, signIn)
}

/** Deletes the cookie of a sign-in that has ended. */
export function dropCookie({ peers }: Parts, { request, server, set }: Context): void {
  const byTls = peers.cameByTls(request, server)
  set.headers['set-cookie'] = setCookie({ name: refreshCookie, value: '', maxAgeMs: 0, byTls })
}
