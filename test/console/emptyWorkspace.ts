import { newId } from '../../src/base/ids.ts'
import { startSandbox } from '../../src/sandbox/server.ts'
import { startTestGateway } from '../gateway.ts'
import { addPerson } from './people.ts'

/** A gateway on a real stand-in upstream, and the owner of a workspace that has nothing yet. */
export async function startEmptyWorkspace(env: Record<string, string> = {}) {
  const sandbox = await startSandbox()
  const gateway = await startTestGateway({ env: { CHANNEL_API_URL: sandbox.url, ...env } })
  const workspaceId = newId('ws')
  const createdAt = Date.now()
  const { store } = gateway.gateway
  await store.write.createWorkspace({ id: workspaceId, name: 'Fresh', monthlyMessageLimit: 500, createdAt })
  const owner = await addPerson(gateway, 'owner', workspaceId)
  const base = `/api/v1/workspaces/${workspaceId}`
  return {
    sandbox,
    gateway,
    workspaceId,
    owner,
    base,
    /** What the audit says of the workspace, oldest first. */
    async audit() {
      const entries = await store.read.auditEntries({ workspaceId, limit: 100 })
      return entries.map(({ action, actor }) => `${action} by ${actor}`).reverse()
    },
    async stop() {
      await gateway.stop()
      await sandbox.stop()
    },
  }
}

/** What the sandbox takes. */
export const sandboxAccount = {
  accountId: '102290129340398',
  accessToken: 'sandbox-token',
  appSecret: 'sandbox-app-secret',
}
