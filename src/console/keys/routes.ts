import { Elysia } from 'elysia'
import { areNetworks, graceMsDefault, newKeyPair } from '../../administration/apiKeys.ts'
import type { EpochMs } from '../../time/clock.ts'
import { guard, type MemberCaller } from '../guard.ts'
import type { ConsoleParts } from '../parts.ts'
import { conflict, found, ownOf, unknown, wrongField } from '../refusals.ts'
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

const hourMs = 3_600_000

/** The API keys of a workspace, which only owners and admins see. */
export function keyRoutes(parts: ConsoleParts) {
  const { store, clock } = parts
  const { read } = store

  const keyOf = async (member: MemberCaller, keyId: string) => ownOf(member, await read.key(keyId), 'API key')

  /** @throws GatewayError for a moment that has passed */
  function endOf(text: string | null | undefined): EpochMs | null {
    if (text === null || text === undefined) return null
    const at = Date.parse(text)
    if (at > clock.now()) return at
    throw wrongField('/expiresAt', 'must be a moment in the future')
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
      async ({ member, body }) => {
        const { workspaceId, write } = member
        const { apiKey: id, apiSecret, secretHash } = newKeyPair()
        const created = await write.createKey({
          id,
          workspaceId,
          label: body.label ?? null,
          secretHash,
          createdAt: clock.now(),
          expiresAt: endOf(body.expiresAt),
          allowedNetworks: networksOf(body.allowedNetworks),
        })
        return { ...view(found(created, 'API key')), apiSecret }
      },
      {
        role: 'admin',
        body: newKeyBody,
        response: keySecretAnswer,
        summary: 'Create an API key',
        description: 'The only answer with its secret.',
      },
    )
    .put(
      '/:keyId/limits',
      async ({ member, params, body }) => {
        const { id } = await keyOf(member, params.keyId)
        const limits = { expiresAt: endOf(body.expiresAt), allowedNetworks: networksOf(body.allowedNetworks) }
        const changed = await member.write.limitKey({ keyId: id, ...limits })
        return view(found(changed, 'API key'))
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
      async ({ member, params, body }) => {
        const { id: keyId } = await keyOf(member, params.keyId)
        const { apiKey: id, apiSecret, secretHash } = newKeyPair()
        const at = clock.now()
        const graceMs = body.graceHours === undefined ? graceMsDefault : body.graceHours * hourMs
        const successor = { id, secretHash, expiresAt: null }
        const rotation = await member.write.rotateKey({ keyId, successor, at, formerExpiresAt: at + graceMs })
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
        const { id } = await keyOf(member, params.keyId)
        const revoked = await member.write.revokeKey({ keyId: id, at: clock.now() })
        return view(found(revoked, 'API key'))
      },
      {
        role: 'admin',
        response: keyAnswer,
        summary: 'Revoke an API key',
        description: 'From the next request on it is refused, for good.',
      },
    )
}

/** @throws GatewayError when an entry is neither an address nor a network */
function networksOf(entries: readonly string[] | null | undefined): readonly string[] | null {
  if (!entries) return null
  if (areNetworks(entries)) return entries
  const message = 'must be addresses or networks, as in 203.0.113.0/24'
  throw wrongField('/allowedNetworks', message)
}
