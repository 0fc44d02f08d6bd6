import { afterEach, beforeEach, expect, test } from 'bun:test'
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sha256 } from '../../../src/base/crypto.ts'
import { dayMs } from '../../../src/base/durations.ts'
import { answerMsMax } from '../../../src/bucket/client.ts'
import { ObjectStore } from '../../backup/objectStore.ts'
import { DeadStore } from '../../bucket/deadStore.ts'
import { ManualClock } from '../../clock.ts'
import { startTestGateway, type TestGateway } from '../../gateway.ts'
import { getMedia, keepFiles, lastMedia, picture, userSends } from './user.ts'

const access = { bucket: 'acme', region: 'eu-central-1', accessKeyId: 'AKIAEXAMPLE', secretAccessKey: 'never-shown' }
let store: ObjectStore
let clock: ManualClock
let gateway: TestGateway
beforeEach(async () => {
  store = new ObjectStore(access)
  clock = new ManualClock(Date.now())
  gateway = await startTestGateway({
    clock,
    env: {
      MEDIA_BUCKET: 'acme/files',
      MEDIA_S3_ENDPOINT: store.url,
      MEDIA_S3_REGION: access.region,
      MEDIA_S3_ACCESS_KEY_ID: access.accessKeyId,
      MEDIA_S3_SECRET_ACCESS_KEY: access.secretAccessKey,
    },
  })
})
afterEach(async () => {
  await gateway.stop()
  await store.stop()
})

const local = () => readdirSync(join(gateway.dataDir, 'media'))

test('a file is kept in the bucket alone, served from there in whole and in parts, and removed there', async () => {
  // More than one part of an upload.
  const bytes = picture(20 * 1_048_576)
  await userSends(gateway, { bytes })
  await keepFiles(gateway)
  const { id, state } = await lastMedia(gateway)
  expect([state, [...store.objects.keys()], local()]).toEqual(['stored', [`files/${id}`], []])

  const whole = await getMedia(gateway, id)
  expect(whole.status).toBe(200)
  expect(sha256(await whole.bytes())).toBe(sha256(bytes))
  const part = await getMedia(gateway, id, { range: 'bytes=1-3' })
  expect([part.status, await part.text()]).toEqual([206, 'PNG'])

  clock.advance(31 * dayMs)
  await gateway.gateway.jobs.trigger('prune')
  await keepFiles(gateway)
  expect([...store.objects.keys()]).toEqual([])
})

test('a file waits while the bucket refuses it, and one that is to be removed, too', async () => {
  store.fault = () => new Response('', { status: 503 })
  await userSends(gateway)
  await keepFiles(gateway)
  expect([await lastMedia(gateway), local()]).toMatchObject([{ state: 'pending' }, []])
  store.fault = () => undefined
  clock.advance(10_000)
  await keepFiles(gateway)
  expect(await lastMedia(gateway)).toMatchObject({ state: 'stored' })

  store.fault = request => (request.method === 'DELETE' ? new Response('', { status: 503 }) : undefined)
  clock.advance(31 * dayMs)
  await gateway.gateway.jobs.trigger('prune')
  await keepFiles(gateway)
  expect(store.objects.size).toBe(1)
  store.fault = () => undefined
  clock.advance(10_000)
  await keepFiles(gateway)
  expect(store.objects.size).toBe(0)
})

test('a file that is not in the bucket is told to be gone', async () => {
  await userSends(gateway)
  await keepFiles(gateway)
  store.objects.clear()
  const response = await getMedia(gateway, (await lastMedia(gateway)).id)
  expect([response.status, await response.json()]).toMatchObject([404, { details: { state: 'expired' } }])
})

test('503: a bucket that cannot be read now, which is worth another try', async () => {
  await userSends(gateway)
  await keepFiles(gateway)
  store.fault = () => new Response('', { status: 503 })
  const response = await getMedia(gateway, (await lastMedia(gateway)).id)
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5'])
  expect(await response.json()).toMatchObject({ error: 'SERVICE_UNAVAILABLE' })
})

test('a file from before there was a bucket is served from the folder, and removed there', async () => {
  const bytes = picture()
  await userSends(gateway, { bytes })
  await keepFiles(gateway)
  const { id } = await lastMedia(gateway)
  store.objects.clear()
  writeFileSync(join(gateway.dataDir, 'media', id), bytes)
  const response = await getMedia(gateway, id)
  expect(sha256(await response.bytes())).toBe(sha256(bytes))

  clock.advance(31 * dayMs)
  await gateway.gateway.jobs.trigger('prune')
  await keepFiles(gateway)
  expect(local()).toEqual([])
})

test('503: a bucket that accepts and never answers is given up within seconds, with its connection', async () => {
  await userSends(gateway)
  await keepFiles(gateway)
  const { id } = await lastMedia(gateway)
  const port = Number(new URL(store.url).port)
  await store.stop()
  const dead = await DeadStore.open(undefined, port)
  try {
    const asked = getMedia(gateway, id)
    await dead.until(({ asked }) => asked === 1)
    clock.advance(answerMsMax)
    const response = await asked
    expect([response.status, await response.json()]).toMatchObject([503, { error: 'SERVICE_UNAVAILABLE' }])
    await dead.until(({ open }) => open === 0)
  } finally {
    dead.stop()
  }
})
