import type { Command } from 'commander'
import type { ApiKey } from '../../db/records.ts'
import { systemClock } from '../clock.ts'
import { sha256 } from '../crypto.ts'
import { newKeyId, newKeySecret } from '../ids.ts'
import { isoTime, isoTimeOrNull } from '../isoTime.ts'
import { addNoun, addVerb } from './command.ts'
import { found } from './failure.ts'
import { argument, id, name, optional, workspaceOption } from './inputs.ts'
import { commandLine, moment, report, table } from './output.ts'
import type { Workbench } from './session.ts'
import { findWorkspace } from './workspace.ts'

export function keyCommands(program: Command, { withStore }: Workbench): void {
  const key = addNoun(program, 'key', 'API keys: what a partner backend signs in with')

  addVerb(key, {
    name: 'create',
    summary: 'create an API key; its secret is shown this once',
    example: 'key create --workspace ws_… --label production',
    inputs: { workspace: workspaceOption, label: optional(name, 'who or what uses it') },
    run: ({ workspace, label = null }) =>
      withStore(async ({ store }) => {
        const apiSecret = newKeySecret()
        const created = found(
          await store.write.createKey({
            id: newKeyId(),
            workspaceId: workspace,
            label,
            secretHash: sha256(apiSecret),
            createdAt: systemClock.now(),
          }),
          'workspace',
          workspace,
        )
        const { apiKey, ...rest } = keyView(created)
        return {
          data: { apiKey, apiSecret, ...rest },
          text: report(
            'API key created',
            { apiKey, apiSecret, label },
            'keep the secret in a safe place. It is stored here only as a hash and cannot be shown again.',
          ),
        }
      }),
  })

  addVerb(key, {
    name: 'list',
    summary: 'list the API keys of a workspace',
    example: 'key list --workspace ws_…',
    inputs: { workspace: workspaceOption },
    run: ({ workspace }) =>
      withStore(async ({ store }) => {
        const { id } = await findWorkspace(store, workspace)
        const keys = await store.read.keys(id)
        return {
          data: keys.map(keyView),
          text: table(
            ['key', 'label', 'created (UTC)', 'revoked (UTC)'],
            keys.map(({ id, label, createdAt, revokedAt }) => [
              id,
              label,
              moment(createdAt),
              revokedAt === null ? null : moment(revokedAt),
            ]),
            `No API key yet. Create one: ${commandLine(`key create --workspace ${id}`)}`,
          ),
        }
      }),
  })

  addVerb(key, {
    name: 'revoke',
    summary: "revoke an API key, from the gateway's next request on",
    example: 'key revoke pk_…',
    inputs: { key: argument(id, 'the API key, pk_…') },
    run: ({ key }) =>
      withStore(async ({ store }) => {
        const revoked = found(await store.write.revokeKey({ keyId: key, at: systemClock.now() }), 'API key', key)
        return {
          data: keyView(revoked),
          text: report('API key revoked: the next request with it is refused', {
            key: revoked.id,
            label: revoked.label,
          }),
        }
      }),
  })
}

/** A key as it may be shown at any time: without its secret. */
const keyView = ({ id, workspaceId, label, createdAt, revokedAt }: ApiKey) => ({
  apiKey: id,
  label,
  workspaceId,
  createdAt: isoTime(createdAt),
  revokedAt: isoTimeOrNull(revokedAt),
})
