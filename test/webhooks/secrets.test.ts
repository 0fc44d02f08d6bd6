import { describe, expect, test } from 'bun:test'
import { createVault, UnsealError } from '../../src/base/crypto.ts'
import { hourMs } from '../../src/base/durations.ts'
import {
  graceMsMax,
  newSecrets,
  OpenedWebhooks,
  openHeaders,
  openSecrets,
  resealed,
  rotatedSecrets,
  sealHeaders,
  sealSecrets,
  signingSecrets,
  type WebhookSecret,
} from '../../src/webhooks/secrets.ts'

const at = Date.UTC(2026, 0, 1)

describe('a rotation', () => {
  test('makes a new secret, and the former one signs beside it until the grace is over', () => {
    const [former] = newSecrets()
    const secrets = rotatedSecrets([former], { at, graceMs: hourMs })
    expect(secrets[0].secret).toMatch(/^whsec_/)
    expect(secrets[0].secret).not.toBe(former.secret)
    expect(signingSecrets(secrets, at + hourMs - 1)).toEqual([secrets[0].secret, former.secret])
    expect(signingSecrets(secrets, at + hourMs)).toEqual([secrets[0].secret])
  })

  test('without a grace leaves the new one alone', () => {
    expect(rotatedSecrets(newSecrets(), { at, graceMs: 0 })).toHaveLength(1)
  })

  test('does not lengthen the time of one that was replaced before, and drops what is over', () => {
    const first = rotatedSecrets(newSecrets(), { at, graceMs: hourMs })
    const second = rotatedSecrets(first, { at: at + hourMs / 2, graceMs: 2 * hourMs })
    expect(second.map(({ until }) => until)).toEqual([null, at + 2.5 * hourMs, at + hourMs])
    expect(rotatedSecrets(second, { at: at + hourMs, graceMs: 9 * hourMs })).toHaveLength(3)
  })

  test('ends with its grace all that were replaced before, so that none signs longer than is said', () => {
    const first = rotatedSecrets(newSecrets(), { at, graceMs: 9 * hourMs })
    const second = rotatedSecrets(first, { at, graceMs: hourMs })
    expect(second.map(({ until }) => until)).toEqual([null, at + hourMs, at + hourMs])
    expect(rotatedSecrets(second, { at, graceMs: 0 }).map(({ until }) => until)).toEqual([null])
  })

  test('is bounded: in its grace and in the number of former secrets', () => {
    let secrets: readonly WebhookSecret[] = newSecrets()
    for (let n = 0; n < 20; n += 1) secrets = rotatedSecrets(secrets, { at, graceMs: 2 * graceMsMax })
    expect(secrets).toHaveLength(11)
    expect(secrets[1]?.until).toBe(at + graceMsMax)
  })
})

describe('what is sealed of an endpoint', () => {
  const vault = createVault('k'.repeat(32))
  const secrets = newSecrets()
  const headers = { authorization: 'Bearer x', 'x-tenant': 'Acme' }
  const sealed = (id: string) => ({
    id,
    sealedSecrets: sealSecrets(vault, id, secrets),
    sealedHeaders: sealHeaders(vault, id, headers),
  })

  test('opens as it was, for this endpoint alone', () => {
    const webhook = sealed('hook_1')
    expect(openSecrets(vault, webhook)).toEqual(secrets)
    expect(openHeaders(vault, webhook)).toEqual(headers)
    expect(() => openSecrets(vault, { ...webhook, id: 'hook_2' })).toThrow(UnsealError)
    expect(() => openHeaders(vault, { ...webhook, id: 'hook_2' })).toThrow(UnsealError)
    expect(() => openHeaders(vault, { ...webhook, sealedHeaders: webhook.sealedSecrets })).toThrow(UnsealError)
    expect(JSON.stringify(webhook)).not.toContain(secrets[0].secret)
  })

  test('is opened once for each endpoint, and anew when it was sealed anew', () => {
    const opened = new OpenedWebhooks(vault)
    const webhook = sealed('hook_1')
    expect(opened.secrets(webhook)).toBe(opened.secrets(webhook))
    expect([opened.secrets(webhook), opened.headers(webhook)]).toEqual([secrets, headers])
    expect(() => opened.secrets({ ...webhook, id: 'hook_2' })).toThrow(UnsealError)
    const other = newSecrets()
    const rotated = { ...webhook, sealedSecrets: sealSecrets(vault, 'hook_1', other) }
    expect(opened.secrets(rotated)).toEqual(other)
    expect(opened.headers({ ...webhook, sealedHeaders: null })).toEqual({})
  })

  test('is nothing where there is nothing', () => {
    expect(sealHeaders(vault, 'hook_1', {})).toBeNull()
    const lost = { id: 'hook_1', sealedSecrets: null, sealedHeaders: null }
    expect([openSecrets(vault, lost), openHeaders(vault, lost)]).toEqual([[], {}])
  })

  test('is sealed again with another key', () => {
    const other = createVault('o'.repeat(32))
    const again = resealed(vault, other, sealed('hook_1'))
    expect([openSecrets(other, again), openHeaders(other, again)]).toEqual([secrets, headers])
    expect(() => openSecrets(vault, again)).toThrow(UnsealError)
    const lost = { id: 'hook_1', sealedSecrets: null, sealedHeaders: null }
    expect(resealed(vault, other, lost)).toEqual(lost)
  })
})
