import { Elysia } from 'elysia'
import { GatewayError } from '../../base/errors.ts'
import { type Static, Type } from '../../base/schema.ts'
import { emailField, emailIn } from '../../operations/fields.ts'
import { cookieOf, refreshCookie } from '../access/cookies.ts'
import { deviceCookie, knownDevice } from '../access/devices.ts'
import { signInPlaceOf } from '../access/sessions.ts'
import { answerRefresh, answerSignIn, dropCookie } from '../access/signInAnswer.ts'
import { accountView } from '../access/signIns.ts'
import { actorOf, guard } from '../guard.ts'
import type { ConsoleParts } from '../parts.ts'
import { done } from '../refusals.ts'
import { wired } from '../shapes.ts'
import { accountAnswer, codeField, endedAnswer, passwordField, sessionAnswer } from './schemas.ts'

const loginBody = wired('Login', { email: emailField, password: passwordField, code: Type.Optional(codeField) })

/** The same for an unknown address and a wrong password. */
const wrong = () => new GatewayError({ reason: 'UNAUTHORIZED', message: 'The email address or the password is wrong.' })

const codeWanted = () =>
  new GatewayError({
    reason: 'SECOND_FACTOR_REQUIRED',
    message: 'Send the password again with a code of your authenticator app, or a recovery code.',
  })

const wrongCode = () =>
  new GatewayError({ reason: 'UNAUTHORIZED', message: 'The code is wrong, or it was used before.' })

/** Signing in and out (docs/architecture.md#the-consoles-sessions). */
export function sessionRoutes(parts: ConsoleParts) {
  const { store, signIns, secondFactor, passwords, attempts, changes, peers, deviceKey } = parts
  const { read } = store

  /** @throws GatewayError when password or code is wrong, or the user may not sign in now */
  async function userOf(email: string, { password, code }: Static<typeof loginBody>, isKnown: boolean) {
    const user = await read.userByEmail(email)
    // A browser may know an account that was removed.
    if (!(await passwords.verify(password, user?.passwordHash ?? null, isKnown && user !== null)) || !user)
      throw wrong()
    if (user.totpSince !== null && user.sealedTotpSecret !== null) {
      if (code === undefined) throw codeWanted()
      const sealed = { userId: user.id, sealedTotpSecret: user.sealedTotpSecret }
      if (!(await secondFactor.use(store.writeAs({ actor: actorOf(user) }), sealed, code))) throw wrongCode()
    }
    changes.count(user.id)
    return user
  }

  return new Elysia({ name: 'console-sessions', prefix: '/auth' })
    .use(guard(parts))
    .post(
      '/login',
      async ({ body, request, server, set }) => {
        const email = done(emailIn(body.email))
        const device = knownDevice(deviceKey, cookieOf(request, deviceCookie), email)
        const networks = peers.networksOf(request, server)
        const user = await attempts.judge({ email, networks, device }, () => userOf(email, body, device !== null))
        const signIn = await signIns.begin(user, user.passwordHash, signInPlaceOf(peers, request, server))
        if (!signIn) throw wrong()
        return answerSignIn(parts, { request, server, set }, signIn)
      },
      {
        open: true,
        body: loginBody,
        response: sessionAnswer,
        summary: 'Sign in',
        description:
          'Answers an access token for ten minutes, and sets the cookie that refreshes it. Failed sign-ins are ' +
          'limited by account and by address; one without its code counts until the code has come.',
      },
    )
    .post(
      '/refresh',
      async ({ request, server, set }) => {
        const given = cookieOf(request, refreshCookie)
        const place = signInPlaceOf(peers, request, server)
        const signIn = given === null ? null : await signIns.refresh(given, place)
        if (!signIn)
          throw new GatewayError({ reason: 'UNAUTHORIZED', message: 'The sign-in has ended. Sign in again.' })
        return answerRefresh(parts, { request, server, set }, signIn)
      },
      {
        open: true,
        response: sessionAnswer,
        summary: 'Get a new access token',
        description:
          'With the cookie of the sign-in, whose token is replaced. A token replaced ten seconds ago or earlier ' +
          'ends the sign-in, because somebody may have copied it.',
      },
    )
    .post(
      '/logout',
      async ({ request, server, set }) => {
        const given = cookieOf(request, refreshCookie)
        const isEnded = given !== null && (await signIns.end(given))
        dropCookie(parts, { request, server, set })
        return { ended: isEnded ? 1 : 0 }
      },
      {
        open: true,
        response: endedAnswer,
        summary: 'Sign out',
        description: 'Ends the sign-in of the cookie, and its access tokens.',
      },
    )
    .post(
      '/logout-all',
      async ({ caller, request, server, set }) => {
        const ended = await caller.write.endSessions({ userId: caller.user.id, keep: null })
        dropCookie(parts, { request, server, set })
        return { ended }
      },
      {
        signedIn: true,
        response: endedAnswer,
        summary: 'Sign out everywhere',
        description: 'Ends all sign-ins of the user, including this one.',
      },
    )
    .get('/me', ({ caller }) => accountView(read, caller.user), {
      signedIn: true,
      response: accountAnswer,
      summary: "Read the user's own account",
      description: 'With workspaces and roles.',
    })
}
