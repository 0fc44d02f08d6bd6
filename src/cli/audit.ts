import type { Command } from 'commander'
import { changesOf } from '../operations/audit.ts'
import { referenceField } from '../operations/fields.ts'
import { addNoun } from './command.ts'
import { limitOption, optional, reference, whole } from './inputs.ts'
import { addList } from './list.ts'
import { withIsoTimes } from './output.ts'
import type { Workbench } from './session.ts'
import { instant } from './times.ts'

const word = reference(referenceField)

export function auditCommands(program: Command, workbench: Workbench): void {
  addList(addNoun(program, 'audit', 'audit: who changed what'), workbench, {
    summary: 'list who changed what, newest first; kept for 400 days, at most 100,000 entries',
    example: 'audit list --action key --since 7d',
    inputs: {
      by: optional(word, 'only what this one did, as in cli:ada'),
      action: optional(word, 'only this action (key.revoke), or all of a noun (key)'),
      subject: optional(word, 'only changes of what has this id'),
      since: optional(instant, 'only what was done since then: 2026-01-31, 2026-01-31T10:00Z, or 30m, 24h, 7d, 2w ago'),
      until: optional(instant, 'only what was done before then'),
      after: optional(whole(1, Number.MAX_SAFE_INTEGER), 'the page after the entry with this number'),
      limit: limitOption(),
    },
    read: ({ store }, { by, ...query }) => store.read.auditEntries({ actor: by, ...query }),
    view: ({ id, at, actor, action, subject, changes }) => ({
      ...withIsoTimes({ id, at, by: actor, action, subject }),
      changes: changesOf({ changes }),
    }),
    columns: { number: 'id', 'at (UTC)': 'at', by: 'actor', action: 'action', subject: 'subject' },
    whenEmpty: () => 'Nothing was changed.',
  })
}
