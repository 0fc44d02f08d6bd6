import type { Command } from 'commander'
import type { ApiKey } from '../../db/contract/accounts.ts'
import { moment } from '../base/clock.ts'
import { dayMs } from '../base/durations.ts'
import { namedScopes } from '../base/keyScopes.ts'
import { type OnOptOut, onOptOutChoices } from '../message/optOut.ts'
import {
  areNetworks,
  createKey,
  type KeyWithSecret,
  keyAgeMsMax,
  keyGraceMsMax,
  keyView,
  keyWithSecretView,
  keyWorks,
  limitKey,
  networksRule,
  revokeKey,
  rotateKey,
} from '../operations/apiKeys.ts'
import { addNoun, addVerb } from './command.ts'
import { done } from './failure.ts'
import {
  argument,
  idOf,
  idsOf,
  keyScopeList,
  name,
  oneOf,
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
import { durationUpTo, ending, never } from './times.ts'
import { ofWorkspaces, oneWorkspace } from './workspace.ts'

const networks: Reader<readonly string[]> = {
  ...readerOf('cidr', `It ${networksRule}.`, text => {
    const entries = text.split(',').map(entry => entry.trim())
    return areNetworks(entries) ? entries : null
  }),
  isList: true,
}

const expiresOption = optional(ending, 'when it expires: 90d, 2030-01-31 (UTC), or never')
const onOptOutOption = optional(
  oneOf('word', [...onOptOutChoices, 'workspace'] as const),
  'refuse marketing templates to who wants none, or send them; workspace: as the workspace has it',
)
const onOptOutIn = (given: OnOptOut | 'workspace') => (given === 'workspace' ? null : given)
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
      scopes: optional(keyScopeList, `what it may do, with commas; all but ${namedScopes.join(', ')} when absent`),
      lines: optional(idsOf('line'), 'the only lines that it sends from and sees, with commas; all when absent'),
      onOptOut: onOptOutOption,
    },
    run: ({ workspace, label = null, expires = never, allow = null, scopes = null, ...given }) =>
      withStore(async ({ store, operator }) => {
        const { id: workspaceId } = await oneWorkspace(store, workspace)
        const { lines: lineIds = null, onOptOut = 'workspace' } = given
        const limits = { expiresAt: expires(store.clock.now()), allowedNetworks: allow, onOptOut: onOptOutIn(onOptOut) }
        const input = { ...limits, label, scopes, lineIds }
        const created = done(await createKey(operator, workspaceId, input))
        return {
          data: keyWithSecretView(created),
          text: report('API key created', { ...details(created.key), ...secretsOf(created) }, keepAdvice),
        }
      }),
  })

  addVerb(key, {
    name: 'rotate',
    summary: 'replace an API key by a new one, which shares its idempotency keys; the old one works for a while',
    example: 'key rotate pk_… --grace 24h',
    inputs: {
      key: keyArgument,
      grace: optional(durationUpTo(keyGraceMsMax), 'how long the old key still works, 24h when absent; 0: not at all'),
      expires: expiresOption,
    },
    run: ({ key: keyId, grace: graceMs, expires = never }) =>
      withStore(async ({ store, operator }) => {
        const input = { graceMs, expiresAt: expires(store.clock.now()) }
        const made = `Make a new one: ${commandLine('key create')}`
        const rotated = done(await rotateKey(operator, keyId, input), { CONFLICT: made })
        const { key, former } = rotated
        const end = `${moment(rotated.formerExpiresAt)} (UTC)`
        return {
          data: { ...keyWithSecretView(rotated), former: keyView(former) },
          text: report(
            'API key rotated',
            { ...details(key), ...secretsOf(rotated), 'old key': former.id, 'works until': end },
            `replace the old pair by this one before ${end}. Both share their idempotency keys.\n` +
              '      The new secret is stored here only as a hash and cannot be shown again.',
          ),
        }
      }),
  })

  addVerb(key, {
    name: 'limit',
    summary: "change what an API key is limited to, from the gateway's next request on: its end, networks, marketing",
    example: 'key limit pk_… --expires never --allow 203.0.113.7',
    inputs: {
      key: keyArgument,
      expires: expiresOption,
      allow: allowOption,
      allowAny: toggle('requests from any address are accepted'),
      onOptOut: onOptOutOption,
    },
    oneOf: [['expires', 'allow', 'allowAny', 'onOptOut']],
    run: ({ key: keyId, expires, allow, allowAny, onOptOut }) =>
      withStore(async ({ store, operator }) => {
        const allowedNetworks = allowAny ? null : allow
        const change = {
          ...(expires !== undefined && { expiresAt: expires(store.clock.now()) }),
          ...(allowedNetworks !== undefined && { allowedNetworks }),
          ...(onOptOut !== undefined && { onOptOut: onOptOutIn(onOptOut) }),
        }
        const changed = done(await limitKey(operator, keyId, change))
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
      'may do': ({ scopes }) => scopes?.join(' ') ?? usual,
      lines: ({ lineIds }) => lineIds?.join(' ') ?? 'all',
      'on opt-out': ({ onOptOut }) => onOptOut ?? 'workspace',
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
      withStore(async ({ operator }) => {
        const revoked = done(await revokeKey(operator, key))
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

/** What a key without scopes may do. */
const usual = 'everything but webhooks, graph, and changes of templates and contacts'

const keepAdvice = 'keep the secret in a safe place. It is stored here only as a hash and cannot be shown again.'

/** Shown this once. */
function secretsOf(made: KeyWithSecret) {
  const { apiSecret, graphToken } = keyWithSecretView(made)
  return { apiSecret, ...(graphToken !== undefined && { graphToken }) }
}

const details = ({ id, label, expiresAt, allowedNetworks, scopes, lineIds, onOptOut }: ApiKey) => ({
  apiKey: id,
  label,
  expires: expiresAt === null ? 'never' : `${moment(expiresAt)} (UTC)`,
  'allowed from': allowedNetworks?.join(' ') ?? 'any address',
  'may do': scopes?.join(' ') ?? usual,
  lines: lineIds?.join(' ') ?? 'all',
  'marketing to who wants none': onOptOut ?? 'as the workspace has it',
})
