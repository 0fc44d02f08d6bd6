import { expect, test } from 'bun:test'
import type { StoreReads } from '../../db/contract/store.ts'
import { OutcomeUnknown, Unavailable } from '../../src/base/unavailable.ts'
import type { MediaLibrary } from '../../src/media/outgoing/library.ts'
import type { Upload } from '../../src/media/outgoing/upload.ts'
import { compose } from '../../src/sending/compose.ts'
import type { Stopped } from '../../src/sending/sendKey.ts'
import { TemplateCache } from '../../src/templates/shape.ts'
import { ThreadClosed } from '../../src/threads/mailbox.ts'
import { line, template } from '../db/fixtures.ts'

const photo = template({ name: 'photo', components: '[{"type":"HEADER","format":"IMAGE"}]' })

/** Composes a template whose header is to be uploaded. @param stopped why the upstream is asked for nothing */
function composePhoto(place: () => Promise<Upload>, stopped: Stopped | null = null, listed = [photo]) {
  const read: Pick<StoreReads, 'templatesNamed'> = { templatesNamed: async () => listed }
  const media: Pick<MediaLibrary, 'place'> = { place }
  const values = { templateVariables: { header_link: 'https://cdn.example/1.png' } }
  const templateRefresher = { renew: () => Promise.reject(new Error('a template that can be sent needs no listing')) }
  const beforeAsking = async () => stopped
  const parts = { templates: new TemplateCache(), media: media as MediaLibrary, templateRefresher, beforeAsking }
  const asked = { type: 'template', name: 'photo', language: undefined, components: undefined, values } as const
  const to = { line: line(), accessToken: 'token', recipient: '+15550150100', content: asked, quotedId: null }
  return compose({ ...parts, read: read as StoreReads }, to)
}

test.each([
  ['no upload', [photo]],
  ['no listing', []],
])('a request that repeats another asks the upstream for nothing: %s', async (_, listed) => {
  const stopped = { outcome: 'replayed', messageId: 'msg_1' } as const
  const composition = await composePhoto(() => Promise.reject(new Error('uploaded')), stopped, listed)
  expect(composition).toEqual({ ok: false, stopped })
})

const gone: readonly [name: string, error: Error][] = [
  ['cannot take it now', new Unavailable('not now')],
  ['stops', new ThreadClosed('stopping')],
  ['dies of it', new OutcomeUnknown('it died')],
]
test.each(gone)('503: a thread that %s is no fault of the link, and nothing was accepted', async (_, error) => {
  const composition = await composePhoto(() => Promise.reject(error))
  expect(composition).toMatchObject({ ok: false, refusal: { reason: 'SERVICE_UNAVAILABLE', retryAfterMs: 5_000 } })
})

test('503: files that found no room are no fault of their links, and nothing was accepted', async () => {
  const composition = await composePhoto(async () => ({ kind: 'busy' }))
  expect(composition).toMatchObject({ ok: false, refusal: { reason: 'SERVICE_UNAVAILABLE', retryAfterMs: 5_000 } })
})

test('500: a defect of ours is not told as anything else', async () => {
  await expect(composePhoto(() => Promise.reject(new Error('a defect')))).rejects.toThrow('a defect')
})

test('502: an upload that did not get through may be tried again', async () => {
  const composition = await composePhoto(async () => ({
    kind: 'unreachable',
    why: 'connect ECONNREFUSED 10.1.2.3:443',
  }))
  expect(composition).toMatchObject({
    ok: false,
    refusal: { reason: 'CHANNEL_GRAPH_ERROR', status: 502, details: { code: null, retryable: true } },
  })
  expect(JSON.stringify(composition)).not.toContain('10.1.2.3')
})
