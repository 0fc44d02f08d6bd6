import type { Workspace } from '../../db/contract/accounts.ts'
import type { Membership } from '../../db/contract/users.ts'
import { newId } from '../base/ids.ts'
import { Type } from '../base/schema.ts'
import { type DeletedMessages, deletedMessages } from '../message/deleted.ts'
import { monthlyLimitMax } from '../message/plan.ts'
import { type Actor, conflict, existing, forbidden, Refused, unknown, wrongField } from './act.ts'
import { nameIn } from './fields.ts'

/** Messages a calendar month (UTC). */
export const monthlyLimitField = Type.Integer({ minimum: 0, maximum: monthlyLimitMax })

type Writing = Pick<Actor, 'write' | 'clock'>

/** A workspace as its member sees it. */
export const membershipView = ({ workspaceId, workspaceName, role }: Membership) => ({
  id: workspaceId,
  name: workspaceName,
  role,
})

/** The operator makes a workspace without members. @param limit its ceiling; null: unlimited */
export async function createWorkspace(
  { write, clock }: Writing,
  { name: given, limit }: { readonly name: string; readonly limit: number | null },
): Promise<Workspace | Refused> {
  const name = nameIn(given, '/name')
  if (name instanceof Refused) return name
  return write.createWorkspace({ id: newId('ws'), name, monthlyMessageLimit: limit, createdAt: clock.now() })
}

/**
 * A user makes another workspace, and becomes its owner.
 * @param ownedMax how many the user may own in all. The operator's command has no such bound
 */
export async function foundWorkspace(
  { write, clock }: Writing,
  { name: given, userId, ownedMax }: { readonly name: string; readonly userId: string; readonly ownedMax: number },
): Promise<Membership | Refused> {
  const name = nameIn(given, '/name')
  if (name instanceof Refused) return name
  const founded = await write.foundWorkspace({ id: newId('ws'), name, userId, ownedMax, at: clock.now() })
  switch (founded.outcome) {
    case 'founded':
      return founded.membership
    case 'forbidden':
      return forbidden(
        'Only an owner of a workspace without a limit of the operator can make another one. Ask your operator.',
      )
    case 'tooMany':
      return conflict(
        `An owner may have ${ownedMax} ${ownedMax === 1 ? 'workspace' : 'workspaces'} here, and you have as many. ` +
          'Ask your operator for another one.',
      )
  }
}

export async function renameWorkspace(
  { write }: Pick<Actor, 'write'>,
  workspaceId: string,
  given: string,
): Promise<Workspace | Refused> {
  const name = nameIn(given, '/name')
  if (name instanceof Refused) return name
  return existing(await write.renameWorkspace({ workspaceId, name }), 'workspace', workspaceId)
}

/** What is read of messages that their senders have deleted: it applies at once, also to those of before. */
export const deletedMessagesField = Type.Enum([...deletedMessages])

export const setDeletedMessages = async (
  { write }: Pick<Actor, 'write'>,
  workspaceId: string,
  chosen: DeletedMessages,
): Promise<Workspace | Refused> =>
  existing(await write.setDeletedMessages({ workspaceId, deletedMessages: chosen }), 'workspace', workspaceId)

/** An owner sets the own limit, up to the operator's. It applies from the next send on. @param limit null: unlimited */
export async function setMonthlyLimit(
  { write }: Pick<Actor, 'write'>,
  workspaceId: string,
  limit: number | null,
): Promise<Workspace | Refused> {
  const change = await write.setMonthlyLimit({ workspaceId, limit })
  switch (change.outcome) {
    case 'changed':
      return change.workspace
    case 'aboveCeiling':
      return wrongField('/monthlyMessageLimit', `The operator allows ${change.ceiling} messages a month at most.`)
    case 'missing':
      return unknown('workspace', workspaceId)
  }
}

/**
 * The operator sets the limit, up to which owners choose their own. It applies from the next send on.
 * @param ceiling null: unlimited, but for an own limit of the owners
 */
export const setMonthlyCeiling = async (
  { write }: Pick<Actor, 'write'>,
  workspaceId: string,
  ceiling: number | null,
): Promise<Workspace | Refused> =>
  existing(await write.setMonthlyCeiling({ workspaceId, ceiling }), 'workspace', workspaceId)
