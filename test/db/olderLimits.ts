const entry = (actor: string, subject: string) =>
  `INSERT INTO audit_entries (at, actor, action, subject) VALUES (1, '${actor}', 'workspace.set-limit', '${subject}');`
const made = ['made', 'operator', 'owner', 'operatorLast', 'unlimited']

/** Workspaces from before limits had an owner: who set the limit last is in the audit, or nobody since they were made. */
export const olderLimits = [
  ...made.map(
    id =>
      `INSERT INTO workspaces (id, name, monthly_message_limit, created_at)
       VALUES ('${id}', '${id}', ${id === 'unlimited' ? 'NULL' : 5}, 1);`,
  ),
  entry('cli:ada', 'operator'),
  entry('cli:ada', 'owner'),
  entry('console:ada@example.com', 'owner'),
  entry('console:ada@example.com', 'operatorLast'),
  entry('cli:ada', 'operatorLast'),
].join('\n')

/** By their ids: what the operator allows. */
export const ceilings = [
  ['made', 5],
  ['operator', 5],
  ['operatorLast', 5],
  ['owner', null],
  ['unlimited', null],
]
