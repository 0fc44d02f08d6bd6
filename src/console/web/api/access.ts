import type { SessionAnswer } from '../../auth/schemas.ts'
import { texts } from '../texts/texts.ts'
import { forgetDrafts, storage } from './drafts.ts'
import { forgetEarly, refreshPath, takeEarly } from './early.ts'
import { ApiFailure, apiFailureOf } from './failure.ts'

/*
 * The session of this browser. The access token is only in memory, out of reach of other sites and of later users of
 * the browser; scripts cannot read the cookie that renews it. All tabs share both.
 */

/** A token that expires within this time is replaced before use. */
const earlyMs = 30_000
const logoutPath = '/api/v1/auth/logout'
/** The browser keeps it, so that the page of the sign-in can say why it is back. */
const signedInMark = 'waypost.signed-in'
/** One name for all tabs: their cookie is the same. */
const lockName = 'waypost-refresh'

let session: SessionAnswer | null = null
let pending: Promise<SessionAnswer | null> | null = null
const listeners = new Set<() => void>()

/** A new session; or its end: `ended` by the gateway, and its user may sign in again; `left` by the user. */
type Change = SessionAnswer | 'ended' | 'left'

/** The other tabs are notified of each new session, so that they need not refresh, and of its end. */
const tabs = new BroadcastChannel('waypost-session')
tabs.onmessage = ({ data }: MessageEvent<Change>) => apply(data)

/** What was written stays for its user alone, and no longer than the user is signed in. */
function apply(change: Change): void {
  if (change !== 'ended') forgetDrafts(change === 'left' ? null : change.user.id)
  if (change === 'left') storage()?.removeItem(signedInMark)
  else if (change !== 'ended') storage()?.setItem(signedInMark, 'yes')
  if (typeof change === 'string') forgetEarly()
  session = typeof change === 'string' ? null : change
  for (const tell of listeners) tell()
}

function inAllTabs(change: Change): void {
  apply(change)
  tabs.postMessage(change)
}

/** The user who is signed in; null: nobody, or not known yet. */
export const currentSession = (): SessionAnswer | null => session

/** Whether somebody was signed in, did not sign out, and is signed in no more: also in a browser that was closed. */
export const sessionHasEnded = (): boolean => session === null && storage()?.getItem(signedInMark) != null

/** @returns a function that ends the subscription */
export function onSessionChange(tell: () => void): () => void {
  listeners.add(tell)
  return () => listeners.delete(tell)
}

/** After a sign-in, or anything else that answers a session. */
export function keepSession(next: SessionAnswer): SessionAnswer {
  inAllTabs(next)
  return next
}

/** Keeps what the user has changed of the own account. */
export function changeAccount(account: Omit<SessionAnswer, 'accessToken' | 'expiresAt'>): void {
  if (session) keepSession({ ...session, ...account })
}

/** The session has ended: all tabs show the sign-in page. */
export const dropSession = (): void => inAllTabs('ended')

/** Ends the session at the gateway and in all tabs. @throws ApiFailure when the gateway may not have ended it */
export async function signOut(): Promise<void> {
  const response = await fetch(logoutPath, { method: 'POST' }).catch(unreachable)
  if (!response.ok) throw await apiFailureOf(response, texts.errors.unreadable)
  leaveSession()
}

/** The user has ended the session. */
export const leaveSession = (): void => inAllTabs('left')

/**
 * @param refused the token that was just refused, if any
 * @returns a token that can be used; null: sign in first
 * @throws ApiFailure when the gateway cannot be reached
 */
export async function currentToken(refused: string | null = null): Promise<string | null> {
  if (session && isFresh(session, refused)) return session.accessToken
  return (await renewSession(refused))?.accessToken ?? null
}

/** Also reloads the user's name and roles. @throws ApiFailure when the gateway cannot be reached */
export async function renewSession(refused: string | null = session?.accessToken ?? null) {
  // Several requests at once wait for one refresh.
  pending ??= alone(() => refresh(refused)).finally(() => {
    pending = null
  })
  return pending
}

const isFresh = ({ accessToken, expiresAt }: SessionAnswer, refused: string | null) =>
  accessToken !== refused && Date.parse(expiresAt) - Date.now() > earlyMs

async function refresh(refused: string | null): Promise<SessionAnswer | null> {
  // Another tab was faster, while this one waited for the lock.
  if (session && isFresh(session, refused)) return session
  const response = await (takeEarly(refreshPath) ?? fetch(refreshPath, { method: 'POST' })).catch(unreachable)
  if (response.ok) return keepSession((await response.json()) as SessionAnswer)
  const failure = await apiFailureOf(response, texts.errors.unreadable)
  if (failure.isTemporary) throw failure
  return null
}

function unreachable(cause: unknown): never {
  throw new ApiFailure(texts.errors.unreachable, { cause })
}

/** Runs in one tab at a time. Browsers have locks only with TLS or on the own machine. */
async function alone<T>(work: () => Promise<T>): Promise<T> {
  return navigator.locks ? navigator.locks.request(lockName, work) : work()
}
