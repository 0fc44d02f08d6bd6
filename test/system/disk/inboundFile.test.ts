import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { eventually } from '../../eventually.ts'
import { base64Hash, picture } from '../../media/incoming/user.ts'
import { canMount, mountSmallDisk, type SmallDisk } from '../../smallDisk.ts'
import { accept, messagesCallback, postCallback } from '../../upstream.ts'
import { Installation } from './installation.ts'

const mib = 1_048_576
const bytes = picture(20 * mib)

describe.skipIf(!canMount)('on a disk that is nearly full', () => {
  let disk: SmallDisk
  let installation: Installation
  beforeEach(async () => {
    disk = mountSmallDisk(200 * 1_024)
    installation = await Installation.make(join(disk.folder, 'data'))
    installation.upstream.answer = request => {
      if (request.path.endsWith('/7001'))
        return Response.json({ url: `${installation.upstream.url}/file`, file_size: bytes.length })
      return request.path === '/file' ? new Response(new Uint8Array(bytes)) : accept(request)
    }
  })
  afterEach(async () => {
    await installation.remove()
    disk.remove()
  })

  test('a file of a user waits, its message is kept, and sends go on; with space it is fetched by itself', async () => {
    const { serving, url } = await installation.run()
    const filler = join(disk.folder, 'filler')
    // More than a send needs is left, and the file would fit too: but not beside what is kept for sends.
    writeFileSync(filler, Buffer.alloc(60 * mib))
    const { callbackPath, appSecret, key } = installation.seeded
    const image = { id: '7001', mime_type: 'image/png', sha256: base64Hash(bytes) }
    const message = { from: '15550100200', id: 'wamid.in', timestamp: '1767225600', type: 'image', image }
    const payload = messagesCallback({ messages: [message] })
    expect((await postCallback(url + callbackPath, payload, appSecret)).status).toBe(200)
    const media = async () => {
      const answer = await fetch(`${url}/api/v1/public/inbound`, { headers: { ...key } })
      const { data } = (await answer.json()) as { data: { media: { id: string; state: string } }[] }
      return data[0]?.media
    }

    await eventually(() => expect(serving.stderr()).toContain('the disk is nearly full'))
    expect(await media()).toMatchObject({ state: 'pending' })
    expect(await installation.send(url, 'order-1')).toMatchObject({ status: 201, state: 'SENT' })
    expect(readdirSync(installation.path('media'))).toEqual([])

    rmSync(filler)
    await eventually(async () => expect(await media()).toMatchObject({ state: 'stored', size: bytes.length }))
  })

  test('killed in the middle of a download, it has the file after a start, and nothing else in the folder', async () => {
    const gate = Promise.withResolvers<void>()
    const { answer } = installation.upstream
    installation.upstream.answer = request => {
      if (request.path !== '/file') return answer(request)
      const half = new ReadableStream({
        start: stream => stream.enqueue(new Uint8Array(bytes.subarray(0, 10 * mib))),
        pull: () => gate.promise,
      })
      return new Response(half)
    }
    const { serving, url } = await installation.run()
    const { callbackPath, appSecret } = installation.seeded
    const image = { id: '7001', sha256: base64Hash(bytes) }
    const message = { from: '15550100200', id: 'wamid.in', timestamp: '1767225600', type: 'image', image }
    const payload = messagesCallback({ messages: [message] })
    expect((await postCallback(url + callbackPath, payload, appSecret)).status).toBe(200)
    await eventually(() =>
      expect(readdirSync(installation.path('media'))).toEqual([expect.stringContaining('.partial')]),
    )
    await serving.end('SIGKILL')
    gate.resolve()

    installation.upstream.answer = answer
    await installation.run()
    await eventually(() =>
      expect(readdirSync(installation.path('media'))).toEqual([expect.stringMatching(/^media_\w+$/)]),
    )
  })
})
