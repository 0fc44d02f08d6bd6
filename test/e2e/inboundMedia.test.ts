import { describe, expect, spyOn, test } from 'bun:test'
import { graphTokenOf } from '../../src/base/graphToken.ts'
import { exampleFiles } from '../../src/sandbox/state/exampleFiles.ts'
import { ManualClock } from '../clock.ts'
import { eventually } from '../eventually.ts'
import { sharedFixture } from '../fixture.ts'
import { answerOf } from '../gateway.ts'
import { getMedia, keepFiles, lastMedia } from '../media/incoming/user.ts'
import { startStack } from './stack.ts'

const clock = new ManualClock(Date.now())
const stack = sharedFixture(() => startStack({ clock, env: { GRAPH_API: 'on' } }))

/** Has a user of the sandbox send a file. @returns `media`, once its message has come */
async function sandboxSends(kind: string) {
  const before = (await stack.get('/api/v1/public/inbound?limit=100')).json.data.length
  const response = await fetch(`${stack.sandbox.url}/sandbox/callbacks/inbound`, {
    method: 'POST',
    body: JSON.stringify({ kind, from: '+16505551234', text: 'Look' }),
  })
  expect(response.status).toBe(200)
  await eventually(async () =>
    expect((await stack.get('/api/v1/public/inbound?limit=100')).json.data).toHaveLength(before + 1),
  )
  return lastMedia(stack)
}

describe('a file of a user of the sandbox', () => {
  test.each(['image', 'video', 'audio', 'document', 'sticker'] as const)('arrives: %s', async kind => {
    const { id } = await sandboxSends(kind)
    await keepFiles(stack)
    const file = exampleFiles[kind]
    expect(await lastMedia(stack)).toEqual({
      id,
      state: 'stored',
      mimeType: file?.mimeType,
      size: file?.bytes.length,
      fileName: kind === 'document' ? 'file.pdf' : null,
    })
    const response = await getMedia(stack, id)
    expect(response.headers.get('content-type')).toBe(file?.mimeType ?? '')
    expect(await response.bytes()).toEqual(new Uint8Array(file?.bytes ?? []))
  })

  test('that does not come in time is told to existing clients without its size', async () => {
    const { id } = await sandboxSends('image')
    const { apiKey, apiSecret } = await stack.createKey({ scopes: ['graph', 'media'] })
    const headers = { authorization: `Bearer ${graphTokenOf(apiKey, apiSecret)}` }
    const told = answerOf(fetch(`${stack.url}/graph/${id}`, { headers }))
    await eventually(() => {
      clock.advance(1_000)
      expect(Bun.peek.status(told)).toBe('fulfilled')
    })
    expect((await told).json).toMatchObject({ id, file_size: null })
  })

  test.each(['', '/content'])('is waited for by no existing client whose key was revoked meanwhile: %s', async edge => {
    const { id } = await sandboxSends('image')
    const { apiKey, apiSecret } = await stack.createKey({ scopes: ['graph', 'media'] })
    const headers = { authorization: `Bearer ${graphTokenOf(apiKey, apiSecret)}` }
    const { store } = stack.gateway
    const looks = spyOn(store.read, 'file')
    const told = answerOf(fetch(`${stack.url}/graph/${id}${edge}`, { headers }))
    await eventually(() => expect(looks).toHaveBeenCalled())
    looks.mockRestore()
    await store.write.revokeKey({ keyId: apiKey, at: clock.now() })
    await eventually(() => {
      clock.advance(1_000)
      expect(Bun.peek.status(told)).toBe('fulfilled')
    })
    expect((await told).status).toBe(401)
  })

  test('waits for a new access token', async () => {
    stack.control.setToken('expired')
    await sandboxSends('image')
    await keepFiles(stack)
    expect(await lastMedia(stack)).toMatchObject({ state: 'pending' })
    stack.control.setToken('valid')
    clock.advance(10_000)
    await keepFiles(stack)
    expect(await lastMedia(stack)).toMatchObject({ state: 'stored' })
  })

  test('that the sandbox does not have any more has failed', async () => {
    await sandboxSends('image')
    const { json } = await stack.get('/api/v1/public/inbound?limit=100')
    stack.control.expireMedia(json.data.at(-1).image.id)
    await keepFiles(stack)
    expect(await lastMedia(stack)).toMatchObject({ state: 'failed' })
  })
})
