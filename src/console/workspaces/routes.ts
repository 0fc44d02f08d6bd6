import { Elysia } from 'elysia'
import { ownedWorkspacesMax } from '../../../db/contract/members.ts'
import { wire } from '../../base/schema.ts'
import { nameField } from '../../operations/fields.ts'
import { foundWorkspace } from '../../operations/workspaces.ts'
import { membershipView } from '../access/signIns.ts'
import { membershipSchema } from '../auth/schemas.ts'
import { guard } from '../guard.ts'
import type { ConsoleParts } from '../parts.ts'
import { done } from '../refusals.ts'
import { wired } from '../shapes.ts'

const workspaceBody = wired('WorkspaceRequest', { name: nameField })
const workspaceAnswer = wire(membershipSchema)

/** Further workspaces, beside the one that the set-up makes. */
export function workspaceRoutes(parts: ConsoleParts) {
  return new Elysia({ name: 'console-workspaces', prefix: '/workspaces' })
    .use(guard(parts))
    .post(
      '',
      async ({ caller: { user, write }, body: { name } }) =>
        membershipView(done(await foundWorkspace({ write, clock: parts.clock }, { name, userId: user.id }))),
      {
        signedIn: true,
        body: workspaceBody,
        response: workspaceAnswer,
        summary: 'Make another workspace',
        description:
          'The user becomes its owner. Only an owner of a workspace without a limit of the operator may make another ' +
          `one (403), up to ${ownedWorkspacesMax} in all (409).`,
      },
    )
}
