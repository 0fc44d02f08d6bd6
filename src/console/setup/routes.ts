import { Elysia } from 'elysia'
import { sha256 } from '../../base/crypto.ts'
import { newId } from '../../base/ids.ts'
import { Type } from '../../base/schema.ts'
import { emailField, emailIn, nameField, nameIn } from '../../operations/fields.ts'
import { signInPlaceOf } from '../access/sessions.ts'
import { answerSignIn } from '../access/signInAnswer.ts'
import { newPasswordField, sessionAnswer, tokenBody, tokenField } from '../auth/schemas.ts'
import { actorOf, guard } from '../guard.ts'
import type { ConsoleParts } from '../parts.ts'
import { done, notFound } from '../refusals.ts'
import { wired } from '../shapes.ts'
import { firstWorkspaceName } from './owner.ts'

const setupBody = wired('Setup', {
  token: tokenField,
  email: emailField,
  password: newPasswordField,
  name: Type.Optional(nameField),
  workspaceName: Type.Optional(nameField),
})

const checkAnswer = wired('SetupCheck', {
  hasWorkspaces: Type.Boolean({ description: 'If so, the first user becomes their owner; else a workspace is made.' }),
})

export const invalidLink = () => notFound('This link was used before, was replaced, or has expired.')

/** From the link that the start prints to the first user (docs/architecture.md#the-consoles-sessions). */
export function setupRoutes(parts: ConsoleParts) {
  const { store, clock, passwords, peers, signIns } = parts
  return new Elysia({ name: 'console-setup', prefix: '/auth/setup' })
    .use(guard(parts))
    .post(
      '/check',
      async ({ body }) => {
        const isOpen = await store.read.isSetupOpen({ tokenHash: sha256(body.token), at: clock.now() })
        if (!isOpen) throw invalidLink()
        return { hasWorkspaces: (await store.read.workspaces()).length > 0 }
      },
      {
        open: true,
        body: tokenBody,
        response: checkAnswer,
        summary: 'Check a set-up link',
        description: '404 when it is no longer valid.',
      },
    )
    .post(
      '',
      async ({ body, request, server, set }) => {
        const { token, password, workspaceName = firstWorkspaceName } = body
        const email = done(emailIn(body.email))
        const name = done(nameIn(body.name ?? null, '/name'))
        const newWorkspace = { id: newId('ws'), name: done(nameIn(workspaceName, '/workspaceName')) }
        const tokenHash = sha256(token)
        const at = clock.now()
        // Before the password is hashed: only the holder of the link can cause this work.
        if (!(await store.read.isSetupOpen({ tokenHash, at }))) throw invalidLink()
        const passwordHash = await passwords.hash(password)
        const setUp = await store.writeAs({ actor: actorOf({ email }) }).setUp({
          tokenHash,
          user: { id: newId('user'), email, name, passwordHash, createdAt: at },
          newWorkspace,
          at,
        })
        const place = signInPlaceOf(peers, request, server)
        const signIn = setUp.outcome === 'done' ? await signIns.begin(setUp.user, passwordHash, place) : null
        if (!signIn) throw invalidLink()
        return answerSignIn(parts, { request, server, set }, signIn)
      },
      {
        open: true,
        body: setupBody,
        response: sessionAnswer,
        summary: 'Make the first user',
        description:
          'With the link that `waypost serve` prints when there is no user. It signs in too. The user owns the ' +
          'existing workspaces, or a new one.',
      },
    )
}
