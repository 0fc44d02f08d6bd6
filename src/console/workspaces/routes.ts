import { Elysia } from 'elysia'
import { ownedWorkspacesMax } from '../../../db/members.ts'
import { newId } from '../../ids.ts'
import { wire } from '../../schema.ts'
import { membershipView } from '../access/signIns.ts'
import { membershipSchema, nameField, nameOf } from '../auth/schemas.ts'
import { guard } from '../guard.ts'
import type { ConsoleParts } from '../parts.ts'
import { conflict, forbidden } from '../refusals.ts'
import { wired } from '../shapes.ts'

const workspaceBody = wired('WorkspaceRequest', { name: nameField })
const workspaceAnswer = wire(membershipSchema)

/** Further workspaces, beside the one that the set-up makes. */
export function workspaceRoutes(parts: ConsoleParts) {
  const { clock } = parts
  return new Elysia({ name: 'console-workspaces', prefix: '/workspaces' }).use(guard(parts)).post(
    '',
    async ({ caller, body }) => {
      const change = { id: newId('ws'), name: nameOf(body.name, '/name'), userId: caller.user.id, at: clock.now() }
      const founded = await caller.write.foundWorkspace(change)
      switch (founded.outcome) {
        case 'founded':
          return membershipView(founded.membership)
        case 'forbidden':
          throw ownersOnly()
        case 'tooMany':
          throw tooMany()
      }
    },
    {
      signedIn: true,
      body: workspaceBody,
      response: workspaceAnswer,
      summary: 'Make another workspace',
      description:
        'The user becomes its owner. Only an owner of a workspace without a monthly limit may make another one (403), ' +
        `up to ${ownedWorkspacesMax} in all (409).`,
    },
  )
}

const ownersOnly = () =>
  forbidden('Only an owner of a workspace without a monthly limit can make another one. Ask your operator.')

const tooMany = () => conflict(`You own ${ownedWorkspacesMax} workspaces. Ask your operator for another one.`)
