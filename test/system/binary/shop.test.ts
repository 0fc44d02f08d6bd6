import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { dayMs } from '../../../src/base/durations.ts'
import { startSandbox } from '../../../src/sandbox/server.ts'
import { eventually } from '../../eventually.ts'
import { ensureBuilt } from '../../executable.ts'
import { freePort } from '../../freePort.ts'
import { hungAfterMs } from '../../timeLimit.ts'
import { appSecret, Installation, type Running } from './installation.ts'

/*
 * A shop writes to its customers: the executable, its commands and the stand-in, and a gateway that is killed twice.
 */

const countries = { DE: '+4915112340', FR: '+3361234', ES: '+3461234' } as const
const codes = Object.keys(countries) as (keyof typeof countries)[]
const rowsOfFile = 500
/** The row of each, and what its cell says. */
const wrong: ReadonlyMap<number, string> = new Map([
  [17, '0151 1234017,Ada,order-17'],
  [101, '4.91512E+11,Ada,order-101'],
  [250, ',Ada,order-250'],
  [499, '+4915112349999,,order-499'],
])
const optedOut = [40, 140, 340]
const leftOut = 420
/** The batch takes some ten seconds: long enough for what happens in its midst. */
const perSecond = 50

const phoneOf = (row: number) => {
  const prefix = countries[codes[row % codes.length] ?? 'DE']
  return prefix + String(row).padStart(prefix.startsWith('+49') ? 3 : 4, '0')
}
/** As a spreadsheet counts them: the first line names the columns. */
const rows = Array.from({ length: rowsOfFile }, (_, at) => at + 2)
const right = rows.filter(row => !wrong.has(row))
const toReach = right.filter(row => row !== leftOut && !optedOut.includes(row)).map(phoneOf)

let sandbox: Awaited<ReturnType<typeof startSandbox>>
let shop: Installation
beforeAll(async () => {
  ensureBuilt()
  const line = { upstreamPhoneId: '106540352242922', number: '+15550783881' }
  const secrets = { accountId: '100001', accessToken: 'access-token', appSecret }
  sandbox = await startSandbox({ ...secrets, lines: [line], deliveredAfterMs: 20, readAfterMs: 40 })
  sandbox.control.configure({ callbacks: { retryGapsMs: Array(200).fill(300) } })
  const components = [
    { type: 'BODY', text: 'Hello {{1}}, all tulips are half price.', example: { body_text: [['Ada']] } },
  ]
  sandbox.control.putTemplate({ name: 'spring', language: 'en', category: 'MARKETING', components })
  shop = new Installation(sandbox.url, { PORT: String(freePort()), SEND_WAIT_MS: '200' })
})
afterAll(async () => {
  await shop.remove()
  await sandbox.stop()
})

interface Batch {
  readonly id: string
  readonly state: string
  readonly total: number
  readonly counts: Readonly<Record<string, number>>
  readonly reasons: readonly { readonly code: string; readonly count: number }[]
  readonly cost: { readonly byCountry: readonly { category: string; country: string; billable: number }[] }
}

test(
  '500 rows, four wrong ones, three opted out, one left out, paused, killed twice: each gets it once, and all counts fit',
  async () => {
    const { workspaceId, callbackPath, key } = await shop.provision()
    await shop.json('template', 'sync')
    const [line] = await shop.json<{ id: string }[]>('line', 'list')
    await shop.json('line', 'set-rate', line?.id ?? '', '--per-second', String(perSecond))
    await shop.json('workspace', 'set-opt-outs', workspaceId, '--on-opt-out', 'refuse')
    for (const row of optedOut) {
      const { id } = await shop.json<{ id: string }>('contact', 'add', '--phone', phoneOf(row))
      await shop.json('contact', 'opt-out', id)
    }
    const lines = rows.map(row => wrong.get(row) ?? `${phoneOf(row)},Ada,order-${row}`)
    shop.plant('people.csv', ['phone,1,reference', ...lines].join('\r\n'))

    const create = ['batch', 'create', '--csv', 'people.csv', '--template', 'spring']
    const refused = await shop.run(...create)
    expect(refused.code).toBe(2)
    for (const row of wrong.keys()) expect(refused.stderr).toContain(`row ${row}: `)
    const tomorrow = new Date(Date.now() + dayMs).toISOString().replace(/T.*/, 'T09:00:00Z')
    const made = await shop.json<{ batch: Batch }>(...create, '--skip-wrong', '--send-at', tomorrow)
    expect(made.batch).toMatchObject({ state: 'scheduled', total: right.length })
    const { id } = made.batch
    await shop.json('batch', 'leave-out', id, String(right.indexOf(leftOut)))

    const arrived = () => sandbox.control.requests().map(({ body }) => String((body as { to: string }).to))
    const arrive = (more: number) => {
      const enough = arrived().length + more
      return eventually(() => expect(arrived().length).toBeGreaterThan(enough), hungAfterMs)
    }
    const show = () => shop.json<Batch>('batch', 'show', id)
    const start = async () => {
      const gateway: Running = await shop.serve()
      sandbox.control.setCallbackUrl(gateway.url + callbackPath)
      return gateway
    }

    let gateway = await start()
    expect([(await show()).state, arrived()]).toEqual(['scheduled', []])
    // It is nine o'clock.
    const file = new Database(join(shop.folder, 'data', 'waypost.db'), { readwrite: true })
    file.run('PRAGMA busy_timeout = 30000')
    file.run('UPDATE batches SET send_at = ?', [Date.now()])
    file.close()
    await arrive(100)
    await shop.json('batch', 'pause', id)
    await gateway.end('SIGKILL')
    gateway = await start()
    const paused = await show()
    expect(paused.state).toBe('paused')
    expect(paused.counts.WAITING).toBeGreaterThan(0)
    await shop.json('batch', 'resume', id)
    await arrive(50)
    await gateway.end('SIGKILL')
    gateway = await start()

    const settled = ['READ', 'UNKNOWN', 'SKIPPED', 'CANCELLED']
    await eventually(async () => {
      const { text } = await gateway.get(`/api/v1/public/batches/${id}`, key)
      const { counts } = (JSON.parse(text) as { data: Batch }).data
      expect(settled.reduce((sum, status) => sum + (counts[status] ?? 0), 0)).toBe(right.length)
    }, 2 * hungAfterMs)
    const done = await show()
    const sent = arrived()
    // What a kill had in hand is perhaps sent, and never again.
    const lost = toReach.filter(phone => !sent.includes(phone))
    expect(sent.toSorted()).toEqual(toReach.filter(phone => !lost.includes(phone)).toSorted())
    expect(done).toMatchObject({ state: 'done', total: right.length, counts: { SKIPPED: 3, CANCELLED: 1 } })
    expect([done.counts.READ, done.counts.UNKNOWN]).toEqual([sent.length, lost.length])
    expect(lost.length).toBeLessThan(sent.length / 2)
    expect(done.reasons).toContainEqual(expect.objectContaining({ code: 'OPTED_OUT', count: 3 }))

    const inCountry = (code: keyof typeof countries) => sent.filter(phone => phone.startsWith(countries[code])).length
    const charged = done.cost.byCountry.map(({ category, country, billable }) => [category, country, billable])
    expect(charged.toSorted()).toEqual(codes.toSorted().map(code => ['marketing', code, inCountry(code)]))
    shop.plant('rates.csv', 'country,category,price,currency\n*,marketing,1,EUR\n')
    const { estimate } = await shop.json<{ estimate: object }>('costs', '--rates', 'rates.csv')
    expect(estimate).toEqual({ sums: [{ currency: 'EUR', amount: sent.length }], withoutRate: [] })
    expect(await gateway.end('SIGTERM')).toBe(0)
  },
  6 * hungAfterMs,
)
