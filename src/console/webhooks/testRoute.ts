import { Elysia } from 'elysia'
import { exampleEvent } from '../../partner/eventSchema.ts'
import { sendExample } from '../../webhooks/example.ts'
import { guard } from '../guard.ts'
import type { ConsoleParts } from '../parts.ts'
import { conflict } from '../refusals.ts'
import { iso } from '../shapes.ts'
import { secretLost, webhookOf } from './routes.ts'
import { testAnswer, testBody } from './schemas.ts'

/** Tries an endpoint, on or off. */
export function webhookTestRoute(parts: ConsoleParts) {
  return new Elysia({ name: 'console-webhook-test', prefix: '/workspaces/:workspaceId/webhooks/:webhookId' })
    .use(guard(parts))
    .post(
      '/test',
      async ({ member, params, body: { type = 'message.delivered' } }) => {
        const webhook = await webhookOf(parts, member, params.webhookId)
        const sent = await sendExample(parts.webhooks, webhook, exampleEvent(type), parts.clock.now())
        if (sent === null) throw conflict(secretLost)
        const { eventId, attempt } = sent
        return { eventId, type, ...attempt, at: iso(attempt.at) }
      },
      {
        role: 'admin',
        body: testBody,
        response: testAnswer,
        summary: 'Send a test event',
        description: 'An example, at once and only once. It is stored nowhere; the answer says what came back.',
      },
    )
}
