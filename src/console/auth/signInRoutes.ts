import { Elysia } from 'elysia'
import { Type } from '../../base/schema.ts'
import { isSessionOpen } from '../access/sessions.ts'
import { dropCookie } from '../access/signInAnswer.ts'
import { guard } from '../guard.ts'
import type { ConsoleParts } from '../parts.ts'
import { found } from '../refusals.ts'
import { iso, moment, shape, textOrNull, wired } from '../shapes.ts'

const signInSchema = shape('SignIn', {
  id: Type.String(),
  device: {
    ...textOrNull,
    description: 'The browser and its system, such as `Firefox on Linux`. Null when it named none that is known.',
  },
  network: {
    ...textOrNull,
    description: 'The network of the last use: the /24 of an IPv4 address, the /48 of an IPv6 address.',
  },
  signedInAt: moment,
  lastUsedAt: { ...moment, description: 'Exact to ten minutes, in which an access token is used.' },
  isCurrent: Type.Boolean({ description: 'Whether it is the sign-in that asks.' }),
})
const listAnswer = wired('SignIns', { signIns: Type.Array(signInSchema, { description: 'The last used first.' }) })
const endedAnswer = wired('SignInEnded', { id: Type.String() })

/** The user's own sign-ins. Those of others do not exist here. */
export function signInRoutes(parts: ConsoleParts) {
  const { store, clock } = parts
  return new Elysia({ name: 'console-sign-ins', prefix: '/auth/account/sign-ins' })
    .use(guard(parts))
    .get(
      '',
      async ({ caller }) => {
        const sessions = (await store.read.sessions(caller.user.id)).filter(session => isSessionOpen(session, clock))
        return {
          signIns: sessions.map(({ id, device, network, createdAt, refreshedAt }) => ({
            id,
            device,
            network,
            signedInAt: iso(createdAt),
            lastUsedAt: iso(refreshedAt),
            isCurrent: id === caller.sessionId,
          })),
        }
      },
      {
        signedIn: true,
        response: listAnswer,
        summary: "List the user's own sign-ins",
        description: 'Those that have not ended, fifty at most.',
      },
    )
    .delete(
      '/:signInId',
      async ({ caller, params: { signInId }, request, server, set }) => {
        const ended = await caller.write.endSession({ userId: caller.user.id, sessionId: signInId })
        found(ended, 'sign-in')
        if (signInId === caller.sessionId) dropCookie(parts, { request, server, set })
        return { id: signInId }
      },
      {
        signedIn: true,
        response: endedAnswer,
        summary: "End one of the user's own sign-ins",
        description: 'Its browser loses access with its next request. To end the one that asks is to sign out.',
      },
    )
}
