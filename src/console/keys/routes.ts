import { Elysia } from 'elysia'
import { areNetworks, newKeyPair } from '../../administration/apiKeys.ts'
import type { Static } from '../../schema.ts'
import { hourMs } from '../../time/durations.ts'
import { guard, type MemberCaller } from '../guard.ts'
import type { ConsoleParts } from '../parts.ts'
import { conflict, found, ownOf, unknown, wrongField } from '../refusals.ts'
import { graceHoursDefault } from '../shapes.ts'
import {
  keyAnswer,
  keySecretAnswer,
  keysAnswer,
  limitsBody,
  newKeyBody,
  rotatedAnswer,
  rotationBody,
  view,
} from './schemas.ts'

/** The API keys of a workspace, which only owners and admins see. */
export function keyRoutes(parts: ConsoleParts) {
  const { store, clock } = parts
  const { read } = store

  const keyOf = async (member: MemberCaller, keyId: string) => ownOf(member, await read.key(keyId), 'API key')

  /** @throws GatewayError for an end that has passed, and for what is neither an address nor a network */
  function limitsOf({ expiresAt = null, allowedNetworks = null }: Partial<Static<typeof limitsBody>>) {
    const end = expiresAt === null ? null : Date.parse(expiresAt)
    if (end !== null && end <= clock.now()) throw wrongField('/expiresAt', 'must be a moment in the future')
    if (allowedNetworks && !areNetworks(allowedNetworks))
      throw wrongField('/allowedNetworks', 'must be addresses or networks, as in 203.0.113.0/24')
    return { expiresAt: end, allowedNetworks }
  }

  return new Elysia({ name: 'console-api-keys', prefix: '/workspaces/:workspaceId/api-keys' })
    .use(guard(parts))
    .get('', async ({ member }) => ({ apiKeys: (await read.keys(member.workspaceId)).map(view) }), {
      role: 'admin',
      response: keysAnswer,
      summary: 'List API keys',
      description: 'Without secrets, with those that were revoked.',
    })
    .post(
      '',
      async ({ member: { workspaceId, write }, body }) => {
        const { apiKey: id, apiSecret, secretHash } = newKeyPair()
        const key = { id, workspaceId, label: body.label ?? null, secretHash, createdAt: clock.now() }
        const created = await write.createKey({ ...key, ...limitsOf(body) })
        return { ...view(found(created, 'API key')), apiSecret }
      },
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
      async ({ member, params, body }) => {
        const { id: keyId } = await keyOf(member, params.keyId)
        return view(found(await member.write.limitKey({ keyId, ...limitsOf(body) }), 'API key'))
      },
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
      async ({ member, params, body: { graceHours = graceHoursDefault } }) => {
        const { id: keyId } = await keyOf(member, params.keyId)
        const { apiKey: id, apiSecret, secretHash } = newKeyPair()
        const at = clock.now()
        const successor = { id, secretHash, expiresAt: null }
        const formerExpiresAt = at + graceHours * hourMs
        const rotation = await member.write.rotateKey({ keyId, successor, at, formerExpiresAt })
        switch (rotation.outcome) {
          case 'rotated':
            return { key: { ...view(rotation.key), apiSecret }, former: view(rotation.former) }
          case 'unknownKey':
            throw unknown('API key')
          case 'revoked':
          case 'expired':
            throw conflict('The key does not work any more, so it gets no successor. Create a new key.')
        }
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
    .post(
      '/:keyId/revoke',
      async ({ member, params }) => {
        const { id: keyId } = await keyOf(member, params.keyId)
        return view(found(await member.write.revokeKey({ keyId, at: clock.now() }), 'API key'))
      },
      {
        role: 'admin',
        response: keyAnswer,
        summary: 'Revoke an API key',
        description: 'From the next request on it is refused, for good.',
      },
    )
}
