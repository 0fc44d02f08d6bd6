import { Elysia } from 'elysia'
import type { InvitedAccount } from '../../../db/contract/members.ts'
import { sha256 } from '../../base/crypto.ts'
import { newId } from '../../base/ids.ts'
import { Type } from '../../base/schema.ts'
import { nameField, nameIn } from '../../operations/fields.ts'
import { signInPlaceOf } from '../access/sessions.ts'
import { answerSignIn } from '../access/signInAnswer.ts'
import { accountView } from '../access/signIns.ts'
import { accountAnswer, newPasswordField, roleField, sessionAnswer, tokenBody, tokenField } from '../auth/schemas.ts'
import { actorOf, guard } from '../guard.ts'
import type { ConsoleParts } from '../parts.ts'
import { conflict, done } from '../refusals.ts'
import { invalidLink } from '../setup/routes.ts'
import { iso, moment, wired } from '../shapes.ts'

const acceptBody = wired('InvitationAcceptance', {
  token: tokenField,
  password: newPasswordField,
  name: Type.Optional(nameField),
})

const checkAnswer = wired('InvitationCheck', {
  workspaceName: Type.String(),
  email: Type.String({ description: 'The address that is invited.' }),
  role: roleField,
  invitedBy: Type.String(),
  expiresAt: moment,
  account: Type.Enum(['none', 'there', 'reset'] satisfies InvitedAccount[], {
    type: 'string',
    description:
      'Of the address. `there`: sign in and join. `none`: accept with a new password, which makes the account. ' +
      '`reset`: accept with a new password, which the account gets.',
  }),
})

/** Routes for the holder of an invitation's link. */
export function invitationRoutes(parts: ConsoleParts) {
  const { store, clock, passwords, peers, signIns } = parts

  async function invitationOf(token: string) {
    const found = await store.read.invitation({ tokenHash: sha256(token), at: clock.now() })
    if (!found) throw invalidLink()
    return found
  }

  return new Elysia({ name: 'console-invitations', prefix: '/auth/invitations' })
    .use(guard(parts))
    .post(
      '/check',
      async ({ body }) => {
        const { workspaceName, email, role, invitedBy, expiresAt, account } = await invitationOf(body.token)
        return { workspaceName, email, role, invitedBy, expiresAt: iso(expiresAt), account }
      },
      {
        open: true,
        body: tokenBody,
        response: checkAnswer,
        summary: 'Read an invitation',
        description: '404 when its link is no longer valid.',
      },
    )
    .post(
      '/accept',
      async ({ body, request, server, set }) => {
        const { token, password } = body
        const name = done(nameIn(body.name ?? null, '/name'))
        // Before the password is hashed: only the holder of a link can cause this work.
        const { workspaceId, email, account } = await invitationOf(token)
        if (account === 'there') throw signInFirst(email)
        const passwordHash = await passwords.hash(password)
        const at = clock.now()
        const accepted = await store.writeAs({ actor: actorOf({ email }), workspaceId }).acceptInvitation({
          tokenHash: sha256(token),
          at,
          by: { user: { id: newId('user'), name, passwordHash, createdAt: at } },
        })
        if (accepted.outcome === 'hasAccount') throw signInFirst(email)
        const place = signInPlaceOf(peers, request, server)
        const signIn = accepted.outcome === 'joined' ? await signIns.begin(accepted.member, passwordHash, place) : null
        if (!signIn) throw invalidLink()
        return answerSignIn(parts, { request, server, set }, signIn)
      },
      {
        open: true,
        body: acceptBody,
        response: sessionAnswer,
        summary: 'Accept an invitation with a new password',
        description:
          'For an address without an account, or whose account the operator has reset with this link. It signs in ' +
          'too. 409 when the address has an account: its holder signs in and joins.',
      },
    )
    .post(
      '/join',
      async ({ body, caller }) => {
        const { workspaceId, email } = await invitationOf(body.token)
        const { user } = caller
        const accepted = await store.writeAs({ actor: actorOf(user), workspaceId }).acceptInvitation({
          tokenHash: sha256(body.token),
          at: clock.now(),
          by: { userId: user.id },
        })
        if (accepted.outcome === 'otherUser') {
          throw conflict(`The invitation is for ${email}, and you are signed in as ${user.email}.`)
        }
        if (accepted.outcome !== 'joined') throw invalidLink()
        return accountView(store.read, user)
      },
      {
        signedIn: true,
        body: tokenBody,
        response: accountAnswer,
        summary: 'Accept an invitation as the user who is signed in',
        description: 'The address must be the one invited.',
      },
    )
}

const signInFirst = (email: string) => conflict(`${email} has an account. Sign in, then open the link again.`)
