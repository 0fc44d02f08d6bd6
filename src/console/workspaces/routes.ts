import { Elysia } from 'elysia'
import { wire } from '../../base/schema.ts'
import { nameField } from '../../operations/fields.ts'
import { foundWorkspace, membershipView } from '../../operations/workspaces.ts'
import { membershipSchema } from '../auth/schemas.ts'
import { guard } from '../guard.ts'
import type { ConsoleParts } from '../parts.ts'
import { done } from '../refusals.ts'
import { wired } from '../shapes.ts'

const workspaceBody = wired('WorkspaceRequest', { name: nameField })
const workspaceAnswer = wire(membershipSchema)

/** Further workspaces, beside the one that the set-up makes. */
export function workspaceRoutes(parts: ConsoleParts) {
  const { clock } = parts
  // The first one, and those that the operator lets an owner make.
  const ownedMax = 1 + parts.config.ownerWorkspacesMax
  return new Elysia({ name: 'console-workspaces', prefix: '/workspaces' })
    .use(guard(parts))
    .post(
      '',
      async ({ caller: { user, write }, body: { name } }) =>
        membershipView(done(await foundWorkspace({ write, clock }, { name, userId: user.id, ownedMax }))),
      {
        signedIn: true,
        body: workspaceBody,
        response: workspaceAnswer,
        summary: 'Make another workspace',
        description:
          'The user becomes its owner. Only an owner of a workspace without a limit of the operator may make another ' +
          'one (403), as many as `OWNER_WORKSPACES_MAX` says (409).',
      },
    )
}
