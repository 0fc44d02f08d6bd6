import { describe, expect, test } from 'bun:test'
import { dayMs, minuteMs } from '../../src/base/durations.ts'
import { SANDBOX } from '../../src/sandbox/server.ts'
import { sharedFixture } from '../fixture.ts'
import { files } from '../media/outgoing/files.ts'
import { at, errorCode, lineId, mp4, otherLineId, png, startRig } from './rig.ts'

const rig = sharedFixture(startRig)

const authorization = `Bearer ${SANDBOX.accessToken}`
const uploaded = async () => String(at((await rig.upload(png, 'image/png')).json, 'id'))

describe('upload', () => {
  test('an upload is answered with an id of digits that can be sent', async () => {
    const id = await uploaded()
    expect(id).toMatch(/^\d{16,17}$/)
    expect((await rig.send({ type: 'image', image: { id, caption: 'c' } })).status).toBe(200)
  })

  test('131053: bytes that do not match their type', async () => {
    expect(errorCode(await rig.upload(mp4, 'image/png'))).toBe(131053)
    expect(errorCode(await rig.upload(new Uint8Array(0), 'image/png'))).toBe(131053)
  })

  test('100: a type that nobody takes', async () => {
    expect(errorCode(await rig.upload(png, 'image/gif'))).toBe(100)
    expect(errorCode(await rig.upload(files.opus, 'audio/ogg', undefined, 'voice.opus'))).toBe(100)
    expect((await rig.upload(files.opus, 'audio/ogg', undefined, 'voice.ogg')).status).toBe(200)
  })

  test('131053: the declared type, the part and its bytes must agree', async () => {
    const form = new FormData()
    form.set('messaging_product', 'whatsapp')
    form.set('type', 'image/jpeg')
    form.set('file', new Blob([new Uint8Array(png)], { type: 'image/png' }), 'a.png')
    const url = `${rig.sandbox.url}/v25.0/${lineId}/media`
    const response = await fetch(url, { method: 'POST', headers: { authorization }, body: form })
    expect(at(await response.json(), 'error', 'error_data', 'details')).toContain('image/jpeg')
  })

  test('131053: an image over 5 MB', async () => {
    const large = new Uint8Array(5 * 1024 * 1024 + 1)
    large.set(png)
    expect(errorCode(await rig.upload(large, 'image/png'))).toBe(131053)
    expect((await rig.upload(large.subarray(0, 5 * 1024 * 1024), 'image/png')).status).toBe(200)
  })

  test('131053: a sticker over 100 KB, or over 500 KB if it moves', async () => {
    const sticker = (bytes: number, chunk: 'VP8 ' | 'VP8X', flags = 0) => {
      const file = new Uint8Array(bytes)
      file.set(Buffer.from(`RIFF\0\0\0\0WEBP${chunk}`, 'latin1'))
      file[20] = flags
      return rig.upload(file, 'image/webp').then(errorCode)
    }
    const kb = 1024
    expect(await sticker(100 * kb, 'VP8 ')).toBeUndefined()
    expect(await sticker(100 * kb + 1, 'VP8 ', 0x02)).toBe(131053)
    expect(await sticker(100 * kb + 1, 'VP8X')).toBe(131053)
    expect(await sticker(500 * kb, 'VP8X', 0x02)).toBeUndefined()
    expect(await sticker(500 * kb + 1, 'VP8X', 0x02)).toBe(131053)
  })

  test('100: not a form, or a form without its product', async () => {
    expect(errorCode(await rig.call('POST', `/v25.0/${lineId}/media`, {}))).toBe(100)
    const form = new FormData()
    form.set('file', new Blob([new Uint8Array(png)], { type: 'image/png' }), 'a.png')
    const url = `${rig.sandbox.url}/v25.0/${lineId}/media`
    const response = await fetch(url, { method: 'POST', headers: { authorization }, body: form })
    expect(at(await response.json(), 'error', 'message')).toContain('messaging_product')
  })

  test('100/33: an unknown line', async () => {
    expect(at((await rig.upload(png, 'image/png', '12')).json, 'error', 'error_subcode')).toBe(33)
  })
})

describe('look up, download, delete', () => {
  test('the description has an address that needs the token and lives five minutes', async () => {
    const id = await uploaded()
    const got = await rig.call('GET', `/v25.0/${id}?phone_number_id=${lineId}`)
    expect(got.json).toMatchObject({ messaging_product: 'whatsapp', mime_type: 'image/png', file_size: png.length, id })
    const url = String(at(got.json, 'url'))
    expect((await fetch(url)).status).toBe(401)
    const file = await fetch(url, { headers: { authorization } })
    expect(file.headers.get('content-type')).toBe('image/png')
    expect(new Uint8Array(await file.arrayBuffer())).toEqual(png)
    rig.clock.advance(5 * minuteMs)
    expect((await fetch(url, { headers: { authorization } })).status).toBe(404)
  })

  test('100/33: asked for through another line, deleted, or 30 days old', async () => {
    const id = await uploaded()
    const wrongLine = await rig.call('GET', `/v25.0/${id}?phone_number_id=${otherLineId}`)
    expect(at(wrongLine.json, 'error', 'error_subcode')).toBe(33)
    expect((await rig.call('DELETE', `/v25.0/${id}`)).json).toEqual({ success: true })
    expect(errorCode(await rig.call('GET', `/v25.0/${id}`))).toBe(100)

    const old = await uploaded()
    rig.clock.advance(30 * dayMs)
    expect(errorCode(await rig.call('GET', `/v25.0/${old}`))).toBe(100)
  })
})
