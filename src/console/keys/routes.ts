import { Elysia } from 'elysia'
import type { Static } from '../../base/schema.ts'
import {
  createKey,
  keyLabelsOf,
  keyView,
  keyWithSecretView,
  limitKey,
  revokeKey,
  rotateKey,
} from '../../operations/apiKeys.ts'
import { graceMsOf } from '../../operations/fields.ts'
import { guard } from '../guard.ts'
import type { ConsoleParts } from '../parts.ts'
import { done } from '../refusals.ts'
import {
  keyAnswer,
  keySecretAnswer,
  keysAnswer,
  limitsBody,
  newKeyBody,
  rotatedAnswer,
  rotationBody,
} from './schemas.ts'

/** The API keys of a workspace, which only owners and admins see. */
export function keyRoutes(parts: ConsoleParts) {
  return new Elysia({ name: 'console-api-keys', prefix: '/workspaces/:workspaceId/api-keys' })
    .use(guard(parts))
    .get(
      '',
      async ({ member }) => {
        const keys = await member.read.keys(member.workspaceId)
        const names = keyLabelsOf(keys)
        return { apiKeys: keys.map(key => ({ ...keyView(key), name: names.get(key.id) ?? null })) }
      },
      {
        role: 'admin',
        response: keysAnswer,
        summary: 'List API keys',
        description: 'Without secrets, with those that were revoked.',
      },
    )
    .post(
      '',
      async ({ member, body: { label, ...limits } }) =>
        keyWithSecretView(done(await createKey(member, member.workspaceId, { label, ...limitsOf(limits) }))),
      {
        role: 'admin',
        body: newKeyBody,
        response: keySecretAnswer,
        summary: 'Create an API key',
        description: 'The only answer with its secret: only its hash is stored.',
      },
    )
    .put(
      '/:keyId/limits',
      async ({ member, params, body }) => keyView(done(await limitKey(member, params.keyId, limitsOf(body)))),
      {
        role: 'admin',
        body: limitsBody,
        response: keyAnswer,
        summary: 'Limit an API key',
        description: 'Counts from the next request on.',
      },
    )
    .post(
      '/:keyId/rotate',
      async ({ member, params, body }) => {
        const rotated = done(await rotateKey(member, params.keyId, { graceMs: graceMsOf(body) }))
        return { key: keyWithSecretView(rotated), former: keyView(rotated.former) }
      },
      {
        role: 'admin',
        body: rotationBody,
        response: rotatedAnswer,
        summary: 'Rotate an API key',
        description:
          'Makes a successor, which shares its idempotency keys. The old key works until the grace has passed.',
      },
    )
    .post('/:keyId/revoke', async ({ member, params }) => keyView(done(await revokeKey(member, params.keyId))), {
      role: 'admin',
      response: keyAnswer,
      summary: 'Revoke an API key',
      description: 'From the next request on it is refused, for good.',
    })
}

/** Moments are numbers inside. */
const limitsOf = ({ expiresAt, ...limits }: Partial<Static<typeof limitsBody>>) => ({
  ...limits,
  ...(expiresAt !== undefined && { expiresAt: expiresAt === null ? null : Date.parse(expiresAt) }),
})
