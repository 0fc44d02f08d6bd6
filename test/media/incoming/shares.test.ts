import { afterEach, beforeEach, expect, test } from 'bun:test'
import { ManualClock } from '../../clock.ts'
import { eventually } from '../../eventually.ts'
import { startTestGateway, type Tenant, type TestGateway } from '../../gateway.ts'
import { keepFiles, picture, userSends } from './user.ts'

let clock: ManualClock
let gateway: TestGateway
let other: Tenant
beforeEach(async () => {
  clock = new ManualClock(Date.now())
  gateway = await startTestGateway({ clock, env: { MEDIA_STORAGE_MAX: '1 MB' } })
  other = await gateway.addWorkspace()
})
afterEach(() => gateway.stop())

/** The states of a workspace's files, oldest first. */
async function states({ key }: Pick<Tenant, 'key'>): Promise<string[]> {
  const { json } = await gateway.get('/api/v1/public/inbound?limit=100', key)
  return json.data.map(({ media }: { media: { state: string } }) => media.state)
}

async function stores(tenant: Partial<Tenant>, bytes: number) {
  await userSends({ ...gateway, ...tenant }, { bytes: picture(bytes) })
  clock.advance(1_000)
  await keepFiles(gateway)
}

test('who has less than an equal share keeps it when another workspace fills the room', async () => {
  await stores(other, 300_000)
  for (let file = 0; file < 4; file += 1) await stores({}, 300_000)
  expect(await states(other)).toEqual(['stored'])
  expect(await states(gateway)).toEqual(['expired', 'expired', 'stored', 'stored'])
})

test('who has more than an equal share makes room for another workspace', async () => {
  for (let file = 0; file < 3; file += 1) await stores({}, 300_000)
  // Alone it may have all.
  expect(await states(gateway)).toEqual(['stored', 'stored', 'stored'])
  for (let file = 0; file < 2; file += 1) await stores(other, 300_000)
  expect(await states(gateway)).toEqual(['expired', 'expired', 'stored'])
  expect(await states(other)).toEqual(['stored', 'stored'])
})

test('a file is fetched while another workspace has many that hang', async () => {
  const gate = Promise.withResolvers<void>()
  let asked = 0
  const hangs = () => {
    asked += 1
    return new Response(new ReadableStream({ pull: stream => gate.promise.then(() => stream.close()) }))
  }
  for (let file = 0; file < 12; file += 1) await userSends(gateway, { download: hangs })
  const run = keepFiles(gateway)
  await eventually(() => expect(asked).toBe(4))
  await userSends({ ...gateway, ...other })
  await eventually(async () => expect(await states(other)).toEqual(['stored']))
  expect(asked).toBe(4)
  gate.resolve()
  await run
  expect(asked).toBe(12)
})
