import { type AnyElysia, Elysia } from 'elysia'
import { auditRoutes } from './audit/routes.ts'
import { accountRoutes } from './auth/accountRoutes.ts'
import { sessionRoutes } from './auth/sessionRoutes.ts'
import { signInRoutes } from './auth/signInRoutes.ts'
import { checkRoutes } from './channels/checkRoutes.ts'
import { lineRoutes } from './channels/lineRoutes.ts'
import { phoneNumberRoutes } from './channels/phoneNumberRoutes.ts'
import { channelRoutes } from './channels/routes.ts'
import { contactRoutes } from './contacts/routes.ts'
import { conversationRoutes } from './conversations/routes.ts'
import { firstRunRoutes } from './firstRun/routes.ts'
import { gatewayRoutes } from './gateway/routes.ts'
import { accessField } from './guard.ts'
import { keyRoutes } from './keys/routes.ts'
import { eventRoutes } from './live/routes.ts'
import { invitationRoutes } from './members/invitationRoutes.ts'
import { memberRoutes } from './members/routes.ts'
import { messageActions } from './messages/actions.ts'
import { messageRoutes } from './messages/routes.ts'
import { putAwayRoutes } from './overview/putAwayRoutes.ts'
import { overviewRoutes } from './overview/routes.ts'
import { usageRoutes } from './overview/usageRoutes.ts'
import type { ConsoleParts } from './parts.ts'
import { requestRoutes } from './requests/routes.ts'
import { settingsRoutes } from './settings/routes.ts'
import { setupRoutes } from './setup/routes.ts'
import { exampleRoutes } from './templates/exampleRoutes.ts'
import { templateNumberRoutes } from './templates/numberRoutes.ts'
import { templateRoutes } from './templates/routes.ts'
import { testSendRoute } from './templates/testSendRoutes.ts'
import { webhookDeliveryRoutes } from './webhooks/deliveryRoutes.ts'
import { webhookRoutes } from './webhooks/routes.ts'
import { workspaceRoutes } from './workspaces/routes.ts'

/** The beginning of every internal path (docs/partner-api.md#internal-routes). */
const consolePrefix = '/api/v1'

/**
 * All internal routes. A new file of routes is made like channels/phoneNumberRoutes.ts and gets its `.use` here; its
 * routes get their lines in the table of test/console/access.ts.
 */
export function consoleRoutes(parts: ConsoleParts) {
  const app = new Elysia({ name: 'console', prefix: consolePrefix })
    // Answers hold people's data, and tokens.
    .onBeforeHandle({ as: 'scoped' }, ({ set }) => {
      set.headers['cache-control'] = 'no-store'
    })
    .use(sessionRoutes(parts))
    .use(accountRoutes(parts))
    .use(signInRoutes(parts))
    .use(setupRoutes(parts))
    .use(workspaceRoutes(parts))
    .use(invitationRoutes(parts))
    .use(memberRoutes(parts))
    .use(auditRoutes(parts))
    .use(phoneNumberRoutes(parts))
    .use(templateRoutes(parts))
    .use(templateNumberRoutes(parts))
    .use(exampleRoutes(parts))
    .use(testSendRoute(parts))
    .use(channelRoutes(parts))
    .use(checkRoutes(parts))
    .use(lineRoutes(parts))
    .use(keyRoutes(parts))
    .use(requestRoutes(parts))
    .use(webhookRoutes(parts))
    .use(webhookDeliveryRoutes(parts))
    .use(settingsRoutes(parts))
    .use(gatewayRoutes(parts))
    .use(firstRunRoutes(parts))
    .use(messageRoutes(parts))
    .use(messageActions(parts))
    .use(contactRoutes(parts))
    .use(conversationRoutes(parts))
    .use(overviewRoutes(parts))
    .use(putAwayRoutes(parts))
    .use(usageRoutes(parts))
    .use(eventRoutes(parts))
  refuseUnguarded(app)
  return app
}

/** For Eden: `treaty<ConsoleApi>(origin)` knows every path, parameter, body and answer. */
export type ConsoleApi = ReturnType<typeof consoleRoutes>

/** @throws Error at the start when a route does not name who may call it */
function refuseUnguarded(app: AnyElysia): void {
  for (const { method, path, hooks } of app.routes) {
    if (hooks?.detail?.[accessField] === undefined) throw new Error(`${method} ${path} names no role: see guard.ts`)
  }
}
