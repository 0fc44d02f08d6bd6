/*
 * What the page will ask for, asked for while its code is on its way. Who asks then takes the answer.
 */

export const refreshPath = '/api/v1/auth/refresh'

/** As long as data is fresh (`queries.ts`), and a slow browser runs the code of the page. */
const keptMs = 10_000

interface Early {
  readonly answer: Promise<Response>
  readonly token: string | null
  readonly askedAt: number
}

const asked = new Map<string, Early>()

/** @param token of the session that asks; null: the cookie of the browser does */
export function askEarly(path: string, token: string | null): Promise<Response> {
  const answer =
    token === null ? fetch(path, { method: 'POST' }) : fetch(path, { headers: { authorization: `Bearer ${token}` } })
  asked.set(path, { answer, token, askedAt: performance.now() })
  // Who takes it is told.
  answer.catch(() => null)
  return answer
}

/** @returns the answer that was asked for early; to one only, and not to another session */
export function takeEarly(address: string, token: string | null = null): Promise<Response> | undefined {
  const path = address.replace(location.origin, '')
  const early = asked.get(path)
  asked.delete(path)
  return early?.token === token && performance.now() - early.askedAt < keptMs ? early.answer : undefined
}

/** Once a session has ended, nobody takes what was asked for it: not its token either. */
export const forgetEarly = (): void => asked.clear()
