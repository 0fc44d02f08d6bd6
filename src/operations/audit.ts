import type { AuditEntry } from '../../db/contract/queries.ts'

/** @returns old and new values of what an entry's change has changed, of what is never a secret */
export const changesOf = ({ changes }: Pick<AuditEntry, 'changes'>) =>
  Object.entries(changes ?? {}).map(([field, [from, to]]) => ({ field, from, to }))
