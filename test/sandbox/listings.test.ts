import { describe, expect, test } from 'bun:test'
import { SANDBOX } from '../../src/sandbox/server.ts'
import { SAMPLES } from '../../src/sandbox/state/samples.ts'
import { sharedFixture } from '../fixture.ts'
import { at, errorCode, lineId, startRig } from './rig.ts'

const rig = sharedFixture(startRig)

const base = `/v25.0/${SANDBOX.accountId}`
const list = (query: string) => rig.call('GET', `${base}/message_templates?${query}`)
const data = (json: unknown): unknown[] => {
  const found = at(json, 'data')
  return Array.isArray(found) ? found : []
}

/** Walks all pages by cursor, as a client should. */
async function all(limit: number): Promise<unknown[]> {
  const records: unknown[] = []
  let after = ''
  for (;;) {
    const { json } = await list(`limit=${limit}${after}`)
    records.push(...data(json))
    if (at(json, 'paging', 'next') === undefined) return records
    after = `&after=${at(json, 'paging', 'cursors', 'after')}`
  }
}

describe('message_templates', () => {
  test('every page size gives the same records, each once', async () => {
    const whole = await all(1_000)
    const ids = new Set(whole.map(record => at(record, 'id')))
    expect(ids.size).toBe(whole.length)
    expect(whole.length).toBeGreaterThan(20)
    for (const limit of [1, 7, whole.length]) expect(await all(limit)).toEqual(whole)
  })

  test('the last page has cursors but no next; next leads to the real host', async () => {
    const count = (await all(100)).length
    const last = await list(`limit=${count}`)
    expect(at(last.json, 'paging', 'cursors', 'after')).toBeString()
    expect(at(last.json, 'paging', 'next')).toBeUndefined()
    const first = await list('limit=1')
    expect(at(first.json, 'paging', 'next')).toStartWith('https://graph.facebook.com/v25.0/')
  })

  test('each record can be read by its id, with the fields that are asked for', async () => {
    const [first, second] = await all(100)
    const id = String(at(first, 'id'))
    expect((await rig.call('GET', `/v25.0/${id}`)).json).toEqual(first)
    expect((await rig.call('GET', `/v25.0/${id}?fields=name,status`)).json).toEqual({
      id,
      name: at(first, 'name'),
      status: 'APPROVED',
    })
    expect(at((await rig.call('GET', `/v25.0/${at(second, 'id')}`)).json, 'language')).toBe(at(second, 'language'))
    expect(errorCode(await rig.call('GET', '/v25.0/1'))).toBe(100)
  })

  test('before goes back, a foreign cursor is 100', async () => {
    const first = await list('limit=2')
    const second = await list(`limit=2&after=${at(first.json, 'paging', 'cursors', 'after')}`)
    const back = await list(`limit=2&before=${at(second.json, 'paging', 'cursors', 'before')}`)
    expect(data(back.json)).toEqual(data(first.json))
    expect(errorCode(await list('after=zzz'))).toBe(100)
    expect(errorCode(await list('limit=0'))).toBe(100)
  })

  test('an empty page has no paging, also behind a next', async () => {
    expect((await list('name=nothing_like_it')).json).toEqual({ data: [] })
    rig.sandbox.control.configure({ emptyLastPage: true })
    const count = (await all(1)).length
    const last = await list(`limit=${count}`)
    expect(at(last.json, 'paging', 'next')).toBeString()
    expect((await list(`limit=5&after=${at(last.json, 'paging', 'cursors', 'after')}`)).json).toEqual({ data: [] })
    rig.sandbox.control.configure({ emptyLastPage: false })
  })

  test('name, status and language filter; fields choose, and id is always there', async () => {
    const names = data((await list('name=order_confirmation&fields=language')).json)
    expect(names).toEqual([
      { language: 'en_US', id: expect.any(String) },
      { language: 'de', id: expect.any(String) },
    ])
    const approved = data((await list('status=approved&limit=100')).json)
    expect(new Set(approved.map(record => at(record, 'status')))).toEqual(new Set(['APPROVED']))
    const german = data((await list('language=de')).json)
    expect(german.map(record => at(record, 'name'))).toEqual(['order_confirmation'])
  })

  test('the samples cover every component, button, header format, category and five statuses', async () => {
    const text = JSON.stringify(await all(100))
    const kinds = ['HEADER', 'BODY', 'FOOTER', 'BUTTONS', 'CAROUSEL', 'LIMITED_TIME_OFFER']
    const buttons = ['URL', 'QUICK_REPLY', 'PHONE_NUMBER', 'COPY_CODE', 'FLOW', 'CATALOG', 'MPM', 'SPM', 'VOICE_CALL']
    const formats = ['TEXT', 'IMAGE', 'VIDEO', 'DOCUMENT', 'LOCATION', 'PRODUCT']
    for (const kind of [...kinds, ...buttons, 'REQUEST_CONTACT_INFO']) expect(text).toContain(`"type":"${kind}"`)
    for (const format of formats) expect(text).toContain(`"format":"${format}"`)
    for (const category of ['MARKETING', 'UTILITY', 'AUTHENTICATION'])
      expect(text).toContain(`"category":"${category}"`)
    for (const status of ['APPROVED', 'PENDING', 'REJECTED', 'PAUSED', 'DISABLED'])
      expect(text).toContain(`"status":"${status}"`)
    expect(text).toContain('"parameter_format":"NAMED"')
    expect(text).not.toContain('"type":"OTP"')
  })

  test('a number means the same in header, body and URL of a sample, but for those that show the other case', () => {
    const ambiguous = new Set<string>()
    for (const { name, category, components } of SAMPLES) {
      // The address of a code is the upstream's own, and its example no value of a send.
      if (category === 'AUTHENTICATION') continue
      for (const parts of [components, ...components.flatMap(({ cards = [] }) => cards.map(card => card.components))]) {
        const body = parts.find(({ type }) => type === 'BODY')
        const links = parts.flatMap(({ buttons = [] }) => buttons.filter(({ url }) => url?.includes('{{1}}')))
        const values = [
          at(parts, 0, 'example', 'header_text', 0),
          at(body, 'example', 'body_text', 0, 0),
          ...links.map(link => at(link, 'example', 0)),
        ].filter(value => value !== undefined)
        if (new Set(values).size > 1) ambiguous.add(name)
      }
    }
    expect([...ambiguous].sort()).toEqual(['plant_carousel', 'plant_of_the_week', 'season_opening'])
  })

  test('100/33: another account', async () => {
    expect(at((await rig.call('GET', '/v25.0/1/message_templates')).json, 'error', 'error_subcode')).toBe(33)
  })
})

describe('phone_numbers', () => {
  test('status only when asked for; one line by its id', async () => {
    const plain = data((await rig.call('GET', `${base}/phone_numbers`)).json)
    expect(plain).toHaveLength(2)
    expect(at(plain[0], 'status')).toBeUndefined()
    expect(at(plain[0], 'display_phone_number')).toBe('+15550783881')
    const asked = await rig.call('GET', `${base}/phone_numbers?fields=id,status,throughput{level}&limit=1`)
    expect(data(asked.json)).toEqual([{ id: lineId, status: 'CONNECTED', throughput: { level: 'STANDARD' } }])
    expect(at(asked.json, 'paging', 'next')).toBeString()
    const one = await rig.call('GET', `/v25.0/${lineId}?fields=status`)
    expect(one.json).toEqual({ status: 'CONNECTED', id: lineId })
  })
})
