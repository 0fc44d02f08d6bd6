import type { Dialect } from './dialect.ts'

/** A value that the audit keeps; a list is told as words. */
export type AuditedValue = string | number | null

/** What a change has changed, by field. */
export type AuditedChanges = Readonly<Record<string, readonly [from: AuditedValue, to: AuditedValue]>>

export function auditTables({ define, index, json, number, seq, text }: Dialect) {
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
      /** The id of what was changed. */
      subject: text('subject').notNull(),
      /** Null: it concerns no workspace, or several, as a sign-in does. */
      workspaceId: text('workspace_id'),
      /** JSON: old and new values, of fields that are never secrets (db/rules/auditedValues.ts). Null: none is kept. */
      changes: json<AuditedChanges>('changes'),
    },
    table => [
      index('audit_entries_subject').on(table.subject, table.id),
      index('audit_entries_workspace').on(table.workspaceId, table.id),
    ],
  )

  return { auditEntries }
}
