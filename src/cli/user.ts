import type { Command } from 'commander'
import type { Store } from '../../db/contract/store.ts'
import type { Member } from '../../db/contract/users.ts'
import { newId } from '../base/ids.ts'
import { offerSetupLink, setupAddress, setupNote } from '../operations/links.ts'
import { removeSecondFactor } from '../operations/members.ts'
import { addNoun, addVerb } from './command.ts'
import { CommandError, done, found } from './failure.ts'
import {
  argument,
  email,
  id,
  name,
  oneWorkspaceOption,
  optional,
  type Reader,
  required,
  roleOption,
  text,
  workspacesOption,
} from './inputs.ts'
import { addList } from './list.ts'
import { commandLine, report, withIsoTimes } from './output.ts'
import { choosePassword, type Password } from './password.ts'
import type { Workbench } from './session.ts'
import { userAddCommand } from './userAdd.ts'
import { findWorkspace, oneWorkspace } from './workspace.ts'

/** A user's id or email address; only an email address has an @. */
type UserReference = { readonly email: string } | { readonly id: string }

const userReference: Reader<UserReference> = {
  placeholder: 'user',
  of: 'user',
  read: given => (given.includes('@') ? { email: email.read(given) } : { id: id.read(given) }),
}

export function userCommands(program: Command, workbench: Workbench): void {
  const { withStore } = workbench
  const user = addNoun(program, 'user', 'users: the people who sign in to the console')
  const passwordFile = optional(text('path'), 'a file that holds the password; - is standard input; else one is made')

  addVerb(user, {
    name: 'create',
    summary: 'create a user; a generated password is shown this once',
    example: 'user create --email ada@example.com --role admin',
    inputs: {
      workspace: oneWorkspaceOption,
      email: required(email, 'the email address to sign in with'),
      name: optional(name, "the user's display name"),
      role: roleOption,
      passwordFile,
    },
    async run({ workspace, email, name = null, role = null, passwordFile }) {
      const password = await choosePassword(passwordFile)
      return withStore(async ({ store }) => {
        const { id: workspaceId } = await oneWorkspace(store, workspace)
        const now = store.clock.now()
        const creation = await store.write.createUser({
          id: newId('user'),
          workspaceId,
          email,
          name,
          role,
          passwordHash: password.hash,
          createdAt: now,
        })
        if (creation.outcome === 'emailTaken') {
          const add = `waypost user add --workspace ${workspaceId} --email ${email}`
          throw new CommandError(
            `There is already a user with the email ${email}. To invite them to this workspace: ${add}`,
          )
        }
        const created = found(creation.outcome === 'created' ? creation.user : null, 'workspace', workspaceId)
        return {
          data: { ...userView(created), ...shown(password) },
          text: report(
            'User created',
            { id: created.id, email: created.email, role: created.role, ...shown(password) },
            advice(password),
          ),
        }
      })
    },
  })

  userAddCommand(user, workbench)
  setupLinkCommand(user, workbench)

  addList(user, workbench, {
    summary: 'list the users',
    example: 'user list --workspace ws_…',
    inputs: { workspace: workspacesOption },
    async read({ store }, { workspace }) {
      if (workspace !== undefined) await findWorkspace(store, workspace)
      return store.read.members(workspace ?? null)
    },
    view: userView,
    columns: {
      id: 'id',
      email: 'email',
      name: 'name',
      role: 'role',
      workspace: 'workspaceId',
      'created (UTC)': 'createdAt',
    },
    whenEmpty: ({ workspace }) =>
      `No user yet. Create one: ${commandLine(`user create --workspace ${workspace ?? 'ws_…'} --email …`)}`,
  })

  addVerb(user, {
    name: 'reset-password',
    summary: 'give a user a new password; a generated one is shown this once',
    example: 'user reset-password ada@example.com',
    inputs: { user: argument(userReference, 'the email address or the id, user_…'), passwordFile },
    async run({ user, passwordFile }) {
      const password = await choosePassword(passwordFile)
      return withStore(async ({ store }) => {
        const { id } = await findUser(store, user)
        const change = { userId: id, passwordHash: password.hash, at: store.clock.now() }
        const { email } = found(await store.write.resetPassword(change), 'user', id)
        return {
          data: { id, email, ...shown(password) },
          text: report('Password reset', { id, email, ...shown(password) }, advice(password)),
        }
      })
    },
  })

  addVerb(user, {
    name: 'remove-second-factor',
    summary: 'let a user who lost the authenticator app and the recovery codes sign in with the password alone',
    example: 'user remove-second-factor ada@example.com',
    inputs: { user: argument(userReference, 'the email address or the id, user_…') },
    run: ({ user }) =>
      withStore(async ({ store }) => {
        const { id } = await findUser(store, user)
        const { email } = done(await removeSecondFactor(store, id))
        return { data: { id, email }, text: report('Authenticator app removed', { id, email }) }
      }),
  })
}

/** @throws CommandError when there is no such user */
async function findUser(store: Store, reference: UserReference): Promise<{ readonly id: string }> {
  if ('id' in reference) return found(await store.read.user(reference.id), 'user', reference.id)
  const user = await store.read.userByEmail(reference.email)
  if (user === null) throw new CommandError(`No user with the email ${reference.email}`, { code: 'NOT_FOUND' })
  return user
}

const shown = ({ generated }: Password) => (generated === null ? {} : { password: generated })

const advice = ({ generated }: Password) =>
  generated === null
    ? undefined
    : 'give the password to the user in private. It is stored here only as a hash and cannot be shown again.'

/** A user in one workspace, as it may be shown at any time. */
const userView = ({ id, email, name, role, workspaceId, createdAt }: Member) =>
  withIsoTimes({ id, email, name, role, workspaceId, createdAt })

/** For a gateway whose link has expired, or was printed where nobody reads it. */
function setupLinkCommand(user: Command, { withStore }: Workbench): void {
  addVerb(user, {
    name: 'setup-link',
    summary: 'make a new one-time link by which the first user is made in the console',
    example: 'user setup-link',
    inputs: {},
    run: () =>
      withStore(async ({ store, config }) => {
        const base = setupAddress(config.publicUrl, `http://${config.host}:${config.port}`)
        const setupUrl = await offerSetupLink(store, { base, clock: store.clock })
        if (setupUrl === null) {
          const reset = commandLine('user reset-password ada@example.com')
          throw new CommandError(`There are users already. If nobody can sign in: ${reset}`, { code: 'CONFLICT' })
        }
        const note = setupNote(config.publicUrl)
        return {
          data: { setupUrl },
          text: report(
            'Set-up link made',
            { link: setupUrl, ...(note !== null && { note }) },
            'open it within 30 minutes. It works once.',
          ),
        }
      }),
  })
}
