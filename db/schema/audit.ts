import type { Dialect } from './dialect.ts'

export function auditTables({ define, index, number, seq, text }: Dialect) {
  /** Who changed what: written in the same step as the change. */
  const auditEntries = define(
    'audit_entries',
    {
      id: seq('id'),
      at: number('at').notNull(),
      /** `cli:ada`: by a command of this user of the machine. `console:ada@example.com`: by a user of the console. */
      actor: text('actor').notNull(),
      /** `key.revoke`. */
      action: text('action').notNull(),
      /** The id of what was changed. Values are never here: they may be secrets. */
      subject: text('subject').notNull(),
      /** Null: it concerns no workspace, or several, as a sign-in does. */
      workspaceId: text('workspace_id'),
    },
    table => [
      index('audit_entries_subject').on(table.subject, table.id),
      index('audit_entries_workspace').on(table.workspaceId, table.id),
    ],
  )

  return { auditEntries }
}
