import { Elysia } from 'elysia'
import { closed, Type, wire } from '../../base/schema.ts'
import { guard } from '../guard.ts'
import type { ConsoleParts } from '../parts.ts'

const body = wire(
  closed({
    finding: Type.String({ pattern: '^[0-9a-f]{32}$', description: 'The `id` of a finding of the overview.' }),
    isAway: Type.Boolean({ description: '`false` shows it again at once.' }),
  }),
)
const answer = wire(closed({}))

/** `PUT …/attention`: a finding that the workspace has decided to leave as it is, for all its members. */
export function putAwayRoutes(parts: ConsoleParts) {
  const { clock } = parts
  return new Elysia({ name: 'console-put-away', prefix: '/workspaces/:workspaceId' }).use(guard(parts)).put(
    '/attention',
    async ({ member: { workspaceId, user, write }, body: { finding, isAway } }) => {
      const put = { workspaceId, finding, by: user.name ?? user.email, at: clock.now() }
      await (isAway ? write.putAwayFinding(put) : write.bringBackFinding({ workspaceId, finding }))
      return {}
    },
    {
      role: 'member',
      body,
      response: answer,
      summary: 'Put a finding away',
      description: 'With the name of who did, for 30 days, or until it happens anew.',
    },
  )
}
