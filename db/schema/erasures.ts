import type { Dialect } from './dialect.ts'

export function erasureTables({ define, index, json, number, text }: Dialect) {
  /**
   * Contacts and workspaces that are being erased. A row comes with the commit from which on the contact or the
   * workspace is named nowhere, and goes with the last row of its history: whatever ends the process in between, the
   * next step goes on from here.
   */
  const erasures = define(
    'erasures',
    {
      /** The id of the contact or of the workspace. */
      subject: text('subject').primaryKey(),
      workspaceId: text('workspace_id').notNull(),
      /** JSON: the numbers and the user id that the contact had, to find its messages by. */
      addresses: json<readonly string[]>('addresses').notNull(),
      /** JSON: the ids of the contact, and of those that were merged into it. */
      contactIds: json<readonly string[]>('contact_ids').notNull(),
      begunAt: number('begun_at').notNull(),
      /**
       * The last message that there was when it began, as clocks may be set. Null: of a workspace, or begun by an
       * earlier version, and then it takes what was created until it began.
       */
      untilSeq: number('until_seq'),
      /** When its last step was taken: who finds it long ago takes the next one. */
      steppedAt: number('stepped_at').notNull(),
      /** Where it is: a part of the history, and for a part that is walked through the last row of its order. */
      part: text('part').$type<ErasurePart>().notNull(),
      afterAt: number('after_at').notNull(),
      afterSeq: number('after_seq').notNull(),
      /**
       * How many messages it has erased, those to the contact and those from it; of a workspace, all of its records.
       */
      messages: number('messages').notNull(),
      inbound: number('inbound').notNull(),
    },
    table => [index('erasures_workspace').on(table.workspaceId)],
  )
  return { erasures }
}

/**
 * `items`: what names it in batches, where that is more than the first commit takes. `sent`: messages to its numbers.
 * `events`: what was told of the contact. `unnumbered` and `written`: what it wrote, without and with a number in the
 * workspace. `others`: all messages of the workspace are looked through for those that went to the contact at an
 * earlier number, or that the upstream knows by another one. `workspace`: all of it.
 */
export type ErasurePart = 'items' | 'sent' | 'events' | 'unnumbered' | 'written' | 'others' | 'workspace'
