import type { Command } from 'commander'
import type { ApiKey } from '../../db/accounts.ts'
import {
  areNetworks,
  graceMsDefault,
  keyAgeMsMax,
  keyNetworksMax,
  keyView,
  keyWorks,
  newKeyPair,
} from '../administration/apiKeys.ts'
import { dayMs } from '../time/durations.ts'
import { moment } from '../time/moment.ts'
import { addNoun, addVerb } from './command.ts'
import { CommandError, found } from './failure.ts'
import {
  argument,
  idOf,
  name,
  oneWorkspaceOption,
  optional,
  type Reader,
  readerOf,
  toggle,
  workspacesOption,
} from './inputs.ts'
import { addList } from './list.ts'
import { commandLine, report } from './output.ts'
import type { Workbench } from './session.ts'
import { duration, ending, never } from './times.ts'
import { ofWorkspaces, oneWorkspace } from './workspace.ts'

const networks: Reader<readonly string[]> = {
  ...readerOf(
    'cidr',
    `It must be an address or a network, as in 203.0.113.0/24; several with commas, at most ${keyNetworksMax}.`,
    text => {
      const entries = text.split(',').map(entry => entry.trim())
      return areNetworks(entries) ? entries : null
    },
  ),
  isList: true,
}

const expiresOption = optional(ending, 'when it expires: 90d, 2030-01-31 (UTC), or never')
const allowOption = optional(networks, 'only requests from this network are accepted; can be given several times')

export function keyCommands(program: Command, workbench: Workbench): void {
  const { withStore } = workbench
  const key = addNoun(program, 'key', 'API keys: the credentials of a partner backend')
  const keyArgument = argument(idOf('key'), 'the API key, pk_…')

  addVerb(key, {
    name: 'create',
    summary: 'create an API key; its secret is shown this once',
    example: 'key create --label production --expires 90d --allow 203.0.113.0/24',
    inputs: {
      workspace: oneWorkspaceOption,
      label: optional(name, 'who or what uses it'),
      expires: expiresOption,
      allow: allowOption,
    },
    run: ({ workspace, label = null, expires = never, allow = null }) =>
      withStore(async ({ store }) => {
        const { id: workspaceId } = await oneWorkspace(store, workspace)
        const { apiKey, apiSecret, secretHash } = newKeyPair()
        const createdAt = store.clock.now()
        const created = found(
          await store.write.createKey({
            id: apiKey,
            workspaceId,
            label,
            secretHash,
            createdAt,
            expiresAt: expires(createdAt),
            allowedNetworks: allow,
          }),
          'workspace',
          workspaceId,
        )
        return {
          data: withSecret(created, apiSecret),
          text: report('API key created', { ...details(created), apiSecret }, keepAdvice),
        }
      }),
  })

  addVerb(key, {
    name: 'rotate',
    summary: 'replace an API key by a new one, which shares its idempotency keys; the old one works for a while',
    example: 'key rotate pk_… --grace 24h',
    inputs: {
      key: keyArgument,
      grace: optional(duration, 'how long the old key still works, 24h when absent; 0: not at all'),
      expires: expiresOption,
    },
    run: ({ key: keyId, grace = graceMsDefault, expires = never }) =>
      withStore(async ({ store }) => {
        const { apiKey, apiSecret, secretHash } = newKeyPair()
        const at = store.clock.now()
        const successor = { id: apiKey, secretHash, expiresAt: expires(at) }
        const rotation = await store.write.rotateKey({ keyId, successor, at, formerExpiresAt: at + grace })
        if (rotation.outcome !== 'rotated') {
          const code = rotation.outcome === 'unknownKey' ? 'NOT_FOUND' : 'CONFLICT'
          throw new CommandError(noSuccessor(keyId, rotation.outcome), { code })
        }
        const { key, former } = rotation
        const end = `${moment(former.expiresAt ?? at)} (UTC)`
        return {
          data: { ...withSecret(key, apiSecret), former: keyView(former) },
          text: report(
            'API key rotated',
            { ...details(key), apiSecret, 'old key': former.id, 'works until': end },
            `replace the old pair by this one before ${end}. Both share their idempotency keys.\n` +
              '      The new secret is stored here only as a hash and cannot be shown again.',
          ),
        }
      }),
  })

  addVerb(key, {
    name: 'limit',
    summary: "change when an API key expires and which networks may use it, from the gateway's next request on",
    example: 'key limit pk_… --expires never --allow 203.0.113.7',
    inputs: {
      key: keyArgument,
      expires: expiresOption,
      allow: allowOption,
      allowAny: toggle('requests from any address are accepted'),
    },
    oneOf: [['expires', 'allow', 'allowAny']],
    run: ({ key: keyId, expires, allow, allowAny }) =>
      withStore(async ({ store }) => {
        const allowedNetworks = allowAny ? null : allow
        const change = {
          ...(expires !== undefined && { expiresAt: expires(store.clock.now()) }),
          ...(allowedNetworks !== undefined && { allowedNetworks }),
        }
        const changed = found(await store.write.limitKey({ keyId, ...change }), 'API key', keyId)
        return { data: keyView(changed), text: report('API key changed', details(changed)) }
      }),
  })

  addList(key, workbench, {
    summary: 'list the API keys, with their age and last use',
    example: 'key list',
    inputs: { workspace: workspacesOption },
    async read({ store }, { workspace }) {
      const keys = await ofWorkspaces(store, workspace, id => store.read.keys(id))
      const now = store.clock.now()
      return keys.map(key => ({ ...key, ageMs: now - key.createdAt, works: keyWorks(key, now), now }))
    },
    view: keyView,
    columns: {
      key: 'id',
      label: 'label',
      'age (days)': ({ ageMs }) => Math.floor(ageMs / dayMs),
      'last used (UTC)': ({ lastUsedAt }) => (lastUsedAt === null ? 'never' : moment(lastUsedAt)),
      'expires (UTC)': ({ expiresAt, now }) =>
        expiresAt === null ? 'never' : `${moment(expiresAt)}${expiresAt <= now ? ', expired' : ''}`,
      'allowed networks': ({ allowedNetworks }) => allowedNetworks?.join(' ') ?? 'any',
      'revoked (UTC)': 'revokedAt',
      workspace: 'workspaceId',
    },
    whenEmpty: ({ workspace }) =>
      `No API key yet. Create one: ${commandLine(`key create --workspace ${workspace ?? 'ws_…'}`)}`,
    hint(keys) {
      const old = keys.find(({ ageMs, works }) => ageMs > keyAgeMsMax && works)
      return old && `Keys should be changed every 90 days: ${commandLine(`key rotate ${old.id}`)}`
    },
  })

  addVerb(key, {
    name: 'revoke',
    summary: "revoke an API key, from the gateway's next request on",
    example: 'key revoke pk_…',
    inputs: { key: keyArgument },
    run: ({ key }) =>
      withStore(async ({ store }) => {
        const revoked = found(await store.write.revokeKey({ keyId: key, at: store.clock.now() }), 'API key', key)
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

function noSuccessor(keyId: string, outcome: 'unknownKey' | 'revoked' | 'expired'): string {
  switch (outcome) {
    case 'unknownKey':
      return `No API key with the id ${keyId}`
    case 'revoked':
      return `The API key ${keyId} is revoked and has no successor. Make a new one: ${commandLine('key create')}`
    case 'expired':
      return `The API key ${keyId} has expired and has no successor. Make a new one: ${commandLine('key create')}`
  }
}

const keepAdvice = 'keep the secret in a safe place. It is stored here only as a hash and cannot be shown again.'

/** The only answer with the secret: that of the command that makes the key. */
function withSecret(key: ApiKey, apiSecret: string) {
  const { apiKey, ...rest } = keyView(key)
  return { apiKey, apiSecret, ...rest }
}

const details = ({ id, label, expiresAt, allowedNetworks }: ApiKey) => ({
  apiKey: id,
  label,
  expires: expiresAt === null ? 'never' : `${moment(expiresAt)} (UTC)`,
  'allowed from': allowedNetworks?.join(' ') ?? 'any address',
})
