import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** Who changed what: written in the same step as the change. */
export const auditEntries = sqliteTable(
  'audit_entries',
  {
    id: integer('id').primaryKey(),
    at: integer('at').notNull(),
    /** `cli:ada`: by a command of this user of the machine. */
    actor: text('actor').notNull(),
    /** `key.revoke`. */
    action: text('action').notNull(),
    /** The id of what was changed. Values are never here: they may be secrets. */
    subject: text('subject').notNull(),
  },
  table => [index('audit_entries_subject').on(table.subject, table.id)],
)
