import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import type { Store } from '../../db/contract/store.ts'
import { readPricing } from '../../src/message/pricing.ts'
import { accepted, draft, seedStore, t0 } from '../db/fixtures.ts'
import { Deployment, expectRefusal } from './waypost.ts'

const deployment = new Deployment()
afterAll(() => deployment.remove())

const month = new Date(t0).toISOString().slice(0, 7)
const costs = (...rest: string[]) => ['costs', '--month', month, ...rest]

async function ratesFile(text: string): Promise<string> {
  const path = join(deployment.dataDir, `rates-${crypto.randomUUID()}.csv`)
  await Bun.write(path, text)
  return path
}

async function deliverPriced(store: Store): Promise<void> {
  const priced = (billable: boolean, category: string) =>
    readPricing('delivered', { billable, pricing_model: 'PMP', type: 'regular', category })
  const sent = [
    ['msg_1', '+4930123456', priced(true, 'utility')],
    ['msg_2', '+4930123456', priced(true, 'utility')],
    ['msg_3', '+33612345678', priced(true, 'marketing')],
    ['msg_4', '+4930123456', priced(false, 'service')],
  ] as const
  for (const [id, recipient, pricing] of sent) {
    await store.write.acceptMessage(draft({ id, recipient }))
    await store.write.recordEvent(accepted(id))
    const event = { kind: 'reported', status: 'delivered', at: t0 + 200, reason: null, pricing } as const
    const report = {
      messageId: id,
      detail: null,
      isMediaGone: false,
      event: { ...event, channelMessageId: `wamid.${id}` },
    }
    await store.write.applyReports({ channelId: 'chan_1', reports: [report], recordedAt: t0 + 200 })
  }
}

beforeAll(() =>
  deployment.withStore(async store => {
    await seedStore(store)
    await deliverPriced(store)
  }),
)

test('what is charged is counted by category and country, and by day', async () => {
  const { rows, days } = await deployment.json<{ rows: unknown; days: unknown[] }>(costs())
  expect(rows).toEqual([
    { category: 'utility', country: 'DE', billable: 2, free: 0 },
    { category: 'marketing', country: 'FR', billable: 1, free: 0 },
    { category: 'service', country: 'DE', billable: 0, free: 1 },
  ])
  expect(days).toContainEqual({ day: `${month}-01`, category: 'utility', country: 'DE', billable: true, count: 2 })
  const { stdout } = await deployment.run(costs())
  expect(stdout).toMatch(/utility +DE +2 +0/)
  expect(stdout).toContain('waypost costs --rates rates.csv')
  expect((await deployment.run(['costs', '--month', '2020-01'])).stdout).toContain('has named no price')
})

test('with rates it is an estimate in each currency, which names what has no rate', async () => {
  // As a spreadsheet of another country writes it: a mark at the beginning, semicolons, quotes and CRLF.
  const rates = '\ufeffCountry;Category;Price;Currency\r\nde;utility;"0.07";EUR\r\n*;service;1;EUR\r\n'
  const args = costs('--rates', await ratesFile(rates))
  const { estimate } = await deployment.json<{ estimate: unknown }>(args)
  expect(estimate).toEqual({
    sums: [{ currency: 'EUR', amount: 0.14 }],
    withoutRate: [{ category: 'marketing', country: 'FR', billable: 1, free: 0 }],
  })
  const { stdout } = await deployment.run(args)
  expect(stdout).toContain('Estimate: 0.14 EUR.')
  expect(stdout).toContain('for want of a rate: marketing FR (1)')
})

test('without a file the rates are those that each workspace keeps, and one place of several is one row', async () => {
  const own = new Deployment()
  const rate = { country: 'DE', category: 'utility', price: 0.05, currency: 'EUR' } as const
  const estimated = async () => (await own.json<{ rows: unknown; estimate?: unknown }>(costs())).estimate
  await own.withStore(async store => {
    await seedStore(store)
    for (const [workspaceId, price] of [
      ['ws_1', 0.05],
      ['ws_2', 0.06],
    ] as const) {
      await store.write.setPriceRates({ workspaceId, rates: [{ ...rate, price }], at: t0 })
    }
  })
  expect(await estimated()).toEqual({ sums: [], withoutRate: [] })
  await own.withStore(store => deliverPriced(store))
  expect(await estimated()).toEqual({
    sums: [{ currency: 'EUR', amount: 0.1 }],
    withoutRate: [{ category: 'marketing', country: 'FR', billable: 1, free: 0 }],
  })
  own.remove()
})

test('rates that cannot be read are wrong use, and each wrong row is named', async () => {
  const head = 'country,category,price,currency\n'
  const rows: [text: string, says: string][] = [
    ['country,price\nDE,1\n', 'missing: category, currency'],
    [head, 'no rows'],
    [`${head}Germany,utility,1,EUR`, 'row 2: the country must have two letters'],
    [`${head}DE,parcels,1,EUR`, 'row 2: the category must be one of'],
    [`${head}DE,utility,"0,07",EUR`, 'row 2: the price must be a number with a point'],
    [`${head}DE,utility,1,Euro`, 'row 2: the currency must have three letters'],
    [`${head}DE,utility,1,EUR\nDE,utility,2,EUR`, 'row 3: utility DE has a rate already'],
    // The row behind it would be a part of its note.
    [
      'country,category,price,currency,note\nDE,utility,1,EUR,"a\nFR,utility,1,EUR,b',
      'row 2: a cell begins with a quotation mark',
    ],
    [`${head}${'x,y,z,w\n'.repeat(7)}`, 'and 2 more'],
  ]
  for (const [text, says] of rows) {
    expectRefusal(await deployment.run(costs('--rates', await ratesFile(text))), 2, says)
  }
  expectRefusal(await deployment.run(costs('--rates', '/nowhere.csv')), 1, 'The file of rates cannot be read')
})

test('the rates of the document are taken', async () => {
  const document = await Bun.file('docs/commands.md').text()
  const [, example = ''] = /^```\n(country,.*?)^```/ms.exec(document) ?? []
  const { estimate } = await deployment.json<{ estimate: { sums: unknown } }>(
    costs('--rates', await ratesFile(example)),
  )
  expect(estimate.sums).toEqual([{ currency: 'EUR', amount: 0.0912 }])
})
