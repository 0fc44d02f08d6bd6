import { Elysia } from 'elysia'
import { closed, Type } from '../../base/schema.ts'
import { changesOf } from '../../operations/audit.ts'
import { referenceField } from '../../operations/fields.ts'
import { pageDefault } from '../../reading/steps.ts'
import { guard } from '../guard.ts'
import type { ConsoleParts } from '../parts.ts'
import { iso, moment, orNull, shape, textOrNull, wired, wiredQuery } from '../shapes.ts'
import { nameKept, namesOf } from './subjects.ts'

const pageMax = 200

const filter = (description: string) => Type.Optional({ ...referenceField, description })
/** Before 1970 too: that is what a browser has while somebody types the year of a day. */
const epochMs = (description: string) => Type.Optional(Type.Integer({ description }))

const auditQuery = wiredQuery({
  by: filter('Only what this one did: `console:ada@example.com`, `cli:ada`; `cli`: what commands did.'),
  action: filter('Only this action (`key.revoke`), or all of a noun (`key`).'),
  subject: filter('Only what was done to this, by its id.'),
  since: epochMs('Epoch milliseconds.'),
  until: epochMs('Epoch milliseconds, exclusive.'),
  after: Type.Optional(Type.Integer({ minimum: 1, description: 'The page after the entry with this id.' })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: pageMax })),
})

const shownValue = Type.Union([Type.String(), Type.Number(), Type.Null()])

const auditAnswer = wired('AuditPage', {
  entries: Type.Array(
    shape('AuditEntry', {
      id: Type.Integer(),
      at: moment,
      by: Type.String(),
      action: Type.String(),
      subject: Type.String({ description: 'The id of what was changed.' }),
      name: textOrNull,
      isThere: Type.Boolean({ description: 'Whether what was changed is still there.' }),
      changes: Type.Array(closed({ field: Type.String(), from: shownValue, to: shownValue }), {
        description: 'Old and new values, of what is never a secret.',
      }),
    }),
  ),
  next: orNull(Type.Integer(), { description: '`after` of the next page; null at the end.' }),
})

/** Who changed what in a workspace, commands included, and when its members signed in. */
export function auditRoutes(parts: ConsoleParts) {
  const { store, clock } = parts
  const { read } = store
  return new Elysia({ name: 'console-audit', prefix: '/workspaces/:workspaceId' }).use(guard(parts)).get(
    '/audit',
    async ({ member: { workspaceId }, query }) => {
      const { by, limit = pageDefault, ...filters } = query
      // One more than is shown says whether there is a next page.
      const found = await read.auditEntries({ ...filters, actor: by, workspaceId, limit: limit + 1 })
      const shown = found.slice(0, limit)
      const subjects = shown.map(({ subject }) => subject)
      const names = await namesOf(read, { workspaceId, at: clock.now() }, subjects)
      const gone = subjects.filter(subject => !names.has(subject))
      const removed = await read.removedNames({ workspaceId, ids: [...new Set(gone)] })
      return {
        entries: shown.map(entry => ({
          id: entry.id,
          at: iso(entry.at),
          by: entry.actor,
          action: entry.action,
          subject: entry.subject,
          name: names.get(entry.subject) ?? removed.get(entry.subject) ?? nameKept(entry),
          isThere: names.has(entry.subject) || entry.subject === workspaceId,
          changes: changesOf(entry),
        })),
        next: found.length > limit ? (shown.at(-1)?.id ?? null) : null,
      }
    },
    {
      role: 'admin',
      query: auditQuery,
      response: auditAnswer,
      summary: 'List the audit',
      description:
        'Newest first, with the names of what was changed: null where it is not there any more, and nothing keeps ' +
        'what it was called. Kept for 400 days, at most 100,000 entries.',
    },
  )
}
