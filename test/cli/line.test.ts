import { afterAll, expect, test } from 'bun:test'
import { Deployment, seeded } from './waypost.ts'

const deployment = new Deployment()
afterAll(() => deployment.remove())

const at = Date.UTC(2026, 0, 1)

test('list shows the quality and the limit that the platform tells, and a word that is not known as it is', async () => {
  const { workspaceId } = await deployment.withStore(seeded)
  const list = ['line', 'list', '--workspace', workspaceId]
  const told = async (messagingLimit: string) => {
    await deployment.withStore(async ({ read, write }) => {
      const lines = (await read.lines(workspaceId)).map(({ id }) => ({ id, quality: 'YELLOW', messagingLimit }))
      await write.keepLines({ lines })
    })
    return (await deployment.run(list)).stdout
  }
  expect(await told('TIER_2K')).toMatch(/YELLOW +2,000 new people a day/)
  expect(await deployment.json(list)).toMatchObject([{ quality: 'YELLOW', messagingLimit: 'TIER_2K' }])
  expect(await told('TIER_OF_TOMORROW')).toMatch(/YELLOW +TIER_OF_TOMORROW/)
})

test("list shows a line's last quality update", async () => {
  const detail = { display_phone_number: '15550783881', event: 'FLAGGED', current_limit: 'TIER_1K' }
  const kind = 'phone_number_quality_update'
  const { workspaceId, lineId } = await deployment.withStore(async store => {
    const owner = await seeded(store)
    const about = { of: 'line', number: '+15550783881' } as const
    await store.write.keepUpdates({
      channelId: owner.channelId,
      updates: [{ accountId: '1', about, kind, at, detail }],
      recordedAt: at,
    })
    return owner
  })
  const list = ['line', 'list', '--workspace', workspaceId]
  expect(await deployment.json(list)).toMatchObject([
    { id: lineId, updates: [{ kind, at: '2026-01-01T00:00:00.000Z', detail }] },
  ])
  expect((await deployment.run(list)).stdout).toContain('"event":"FLAGGED"')
})
