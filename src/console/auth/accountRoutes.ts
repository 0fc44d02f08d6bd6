import { Elysia } from 'elysia'
import { closed, Type } from '../../base/schema.ts'
import { base32, totpUri } from '../../base/totp.ts'
import { nameField, nameIn } from '../../operations/fields.ts'
import { noSecondFactor, removeSecondFactor } from '../../operations/members.ts'
import { newRecoveryCodes } from '../access/secondFactor.ts'
import { accountView } from '../access/signIns.ts'
import { type Caller, guard } from '../guard.ts'
import type { ConsoleParts } from '../parts.ts'
import { conflict, done, wrongField } from '../refusals.ts'
import { orNull, wired } from '../shapes.ts'
import { accountAnswer, codeField, endedAnswer, newPasswordField, passwordField, preferencesBody } from './schemas.ts'

const nameBody = wired('AccountChange', { name: orNull(nameField) })
const passwordBody = wired('PasswordChange', { password: passwordField, newPassword: newPasswordField })
const confirmationBody = wired('Confirmation', { password: passwordField })
const codeBody = wired('Code', { code: codeField })

const totpAnswer = wired('SecondFactorSecret', {
  secret: Type.String({ description: 'In base32, to be typed into an authenticator app.' }),
  uri: Type.String({ description: 'The same as `otpauth://…`.' }),
  qr: closed({ size: Type.Integer(), path: Type.String({ description: 'Of SVG: the same as a QR code.' }) }),
})
const codesAnswer = wired('RecoveryCodes', {
  recoveryCodes: Type.Array(Type.String(), { description: 'Shown this once. Each works once.' }),
})
const leftAnswer = wired('SecondFactorState', { recoveryCodesLeft: Type.Integer() })

/** Light modules around the code, which cameras need (ISO/IEC 18004: four). */
const borderModules = 4

/** Drawn here: the text goes to no other host, and no page has to load what draws it. */
async function qrCodeOf(text: string): Promise<{ readonly size: number; readonly path: string }> {
  const { encode } = await import('uqr')
  const { data, size } = encode(text, { border: borderModules })
  const path = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : []))).join('')
  return { size, path }
}

const wrongPassword = () => wrongField('/password', 'is not your password')

/** Changes to the user's own account. Security settings require the password again. */
export function accountRoutes(parts: ConsoleParts) {
  const { store, clock, passwords, attempts, secondFactor } = parts
  const { read } = store

  /** A stolen access token must not allow guessing the password or a code. */
  const judge = <Result>({ user: { email }, sessionId }: Caller, check: () => Promise<Result>): Promise<Result> =>
    attempts.judge({ email, networks: [], device: sessionId }, check)

  /**
   * A stolen access token must not change what protects the account.
   * @returns the hash of the password
   */
  const checkPassword = (caller: Caller, password: string): Promise<string> =>
    judge(caller, async () => {
      const passwordHash = (await read.userByEmail(caller.user.email))?.passwordHash ?? null
      if (!(await passwords.verify(password, passwordHash, true)) || passwordHash === null) throw wrongPassword()
      return passwordHash
    })

  return new Elysia({ name: 'console-account', prefix: '/auth/account' })
    .use(guard(parts))
    .patch(
      '',
      async ({ caller, body }) => {
        const name = done(nameIn(body.name ?? null, '/name'))
        const user = await caller.write.renameUser({ userId: caller.user.id, name, at: clock.now() })
        return accountView(read, user ?? caller.user)
      },
      { signedIn: true, body: nameBody, response: accountAnswer, summary: "Change the user's own name" },
    )
    .patch(
      '/preferences',
      async ({ caller, body: preferences }) => {
        const change = { userId: caller.user.id, preferences, at: clock.now() }
        return accountView(read, (await caller.write.choosePreferences(change)) ?? caller.user)
      },
      {
        signedIn: true,
        body: preferencesBody,
        response: accountAnswer,
        summary: "Change the user's own preferences",
        description: 'They hold for all devices and workspaces. What is not named stays.',
      },
    )
    .post(
      '/password',
      async ({ caller, body }) => {
        const formerHash = await checkPassword(caller, body.password)
        const passwordHash = await passwords.hash(body.newPassword)
        const { user, sessionId } = caller
        const change = { userId: user.id, formerHash, passwordHash, keepSession: sessionId, at: clock.now() }
        const ended = await caller.write.changePassword(change)
        if (ended === null) throw wrongPassword()
        return { ended }
      },
      {
        signedIn: true,
        body: passwordBody,
        response: endedAnswer,
        summary: "Change the user's own password",
        description: 'Ends all other sign-ins of the user.',
      },
    )
    .get(
      '/second-factor',
      async ({ caller }) => ({ recoveryCodesLeft: await read.recoveryCodesLeft(caller.user.id) }),
      { signedIn: true, response: leftAnswer, summary: 'Count the remaining recovery codes' },
    )
    .post(
      '/second-factor/start',
      async ({ caller, body }) => {
        await checkPassword(caller, body.password)
        const { id: userId, email } = caller.user
        const { secret, sealedTotpSecret } = secondFactor.newSecret(userId)
        if (!(await caller.write.startTotp({ userId, sealedTotpSecret, at: clock.now() }))) {
          throw conflict('An authenticator app is set up. Remove it first.')
        }
        const uri = totpUri(secret, email)
        return { secret: base32(secret), uri, qr: await qrCodeOf(uri) }
      },
      {
        signedIn: true,
        body: confirmationBody,
        response: totpAnswer,
        summary: 'Begin with an authenticator app',
        description: 'A code has to confirm it.',
      },
    )
    .post(
      '/second-factor/confirm',
      async ({ caller, body }) => {
        const { id: userId, email } = caller.user
        const { sealedTotpSecret, step } = await judge(caller, async () => {
          const sealedTotpSecret = (await read.userByEmail(email))?.sealedTotpSecret ?? null
          const step = sealedTotpSecret === null ? null : secondFactor.stepOf({ userId, sealedTotpSecret }, body.code)
          if (sealedTotpSecret !== null && step !== null) return { sealedTotpSecret, step }
          throw wrongField('/code', 'is not the current code of the app')
        })
        const { codes, codeHashes } = newRecoveryCodes()
        const change = { userId, sealedTotpSecret, step, codeHashes, at: clock.now() }
        if (!(await caller.write.confirmTotp(change))) {
          throw conflict('The app is already confirmed, or the set-up of another one has begun.')
        }
        return { recoveryCodes: codes }
      },
      {
        signedIn: true,
        body: codeBody,
        response: codesAnswer,
        summary: 'Confirm the authenticator app',
        description: 'From now on sign-ins ask for a code.',
      },
    )
    .post(
      '/second-factor/recovery-codes',
      async ({ caller, body }) => {
        await checkPassword(caller, body.password)
        const { codes, codeHashes } = newRecoveryCodes()
        if (!(await caller.write.replaceRecoveryCodes({ userId: caller.user.id, codeHashes }))) done(noSecondFactor())
        return { recoveryCodes: codes }
      },
      {
        signedIn: true,
        body: confirmationBody,
        response: codesAnswer,
        summary: 'Make new recovery codes',
        description: 'The earlier ones stop working.',
      },
    )
    .post(
      '/second-factor/remove',
      async ({ caller, body }) => {
        await checkPassword(caller, body.password)
        const user = done(await removeSecondFactor({ write: caller.write, clock }, caller.user.id))
        return accountView(read, user)
      },
      {
        signedIn: true,
        body: confirmationBody,
        response: accountAnswer,
        summary: 'Remove the authenticator app',
        description: 'Sign-ins ask for the password alone.',
      },
    )
}
