import type { Command } from 'commander'
import { browserAddress, invitationUrl } from '../operations/links.ts'
import { inviteUser } from '../operations/members.ts'
import { membershipView } from '../operations/workspaces.ts'
import { addVerb } from './command.ts'
import { done } from './failure.ts'
import { email, oneWorkspaceOption, required, roleOption, toggle } from './inputs.ts'
import { commandLine, report, table, withIsoTimes } from './output.ts'
import type { Workbench } from './session.ts'
import { oneWorkspace } from './workspace.ts'

/** The operator sees where the account is a member, see `inviteUser`. */
export function userAddCommand(user: Command, { withStore }: Workbench): void {
  addVerb(user, {
    name: 'add',
    summary: 'make a link by which an existing user, signed in, joins another workspace',
    example: 'user add --email ada@example.com --role admin',
    inputs: {
      workspace: oneWorkspaceOption,
      email: required(email, 'the email address of the user'),
      role: roleOption,
      reset: toggle(
        'return the account to the owner of the address: removes its password, authenticator app, sign-ins and open ' +
          'invitations to others; the link sets a new password',
      ),
    },
    run: ({ workspace: named, email: given, role = null, reset }) =>
      withStore(async ({ store, config }) => {
        const { id: workspace } = await oneWorkspace(store, named)
        const invited = done(await inviteUser(store, { workspaceId: workspace, email: given, role, isReset: reset }), {
          NOT_FOUND: `Create one: ${commandLine(`user create --workspace ${workspace} --email ${given}`)}`,
          CONFLICT: reset ? 'A reset changes no role: leave out --role' : 'If somebody else has the account: --reset',
        })
        const { id, email, name } = invited.user
        const { role: asRole, expiresAt } = invited.invitation
        const base = browserAddress(config.publicUrl, `http://${config.host}:${config.port}`)
        const link = invitationUrl(base, invited.token)
        const workspaces = (await store.read.memberships(id)).map(membershipView)
        const shown = { id, email, name, role: asRole, workspaceId: workspace, isReset: reset, link, expiresAt }
        return {
          data: { ...withIsoTimes(shown), workspaces },
          text: [
            report(
              reset ? 'Account reset, and invited' : 'User invited',
              { id, email, role: asRole, workspace, link },
              reset ? afterReset(email) : afterInvitation,
            ),
            table(
              { 'member of': 'id', name: 'name', role: 'role' },
              workspaces,
              'The account is a member of no workspace.',
            ),
          ].join('\n\n'),
        }
      }),
  })
}

const afterInvitation =
  'give the link to the user in private. It works once, for seven days, after a sign-in to this account. Check where ' +
  'the account is a member: if the person does not know these workspaces, somebody else has the account; then run ' +
  'this again with --reset.'

const afterReset = (email: string): string =>
  [
    'give the link to the user in private. It works once, for seven days, and sets a new password.',
    'The account keeps its roles in the workspaces below. Its API keys stay, and so do members whom it invited.',
    `What it did: ${commandLine(`audit list --by console:${email}`)}`,
  ].join('\n')
