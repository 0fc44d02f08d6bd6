import { afterAll, afterEach, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { startTestGateway, type TestGateway } from '../gateway.ts'
import { button, buttons, flow, link, list, reply, row, sections } from '../interactive/samples.ts'
import { hungAfterMs } from '../timeLimit.ts'
import { takeSent } from './catalog.ts'
import { chars, expectNothingHappened, expectRefused, interactive, nested } from './refusals.ts'

setDefaultTimeout(hungAfterMs)

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway()
})
afterEach(() => {
  gateway.upstream.received.length = 0
})
afterEach(() => expectNothingHappened(gateway))
afterAll(() => gateway.stop())

const send = (payload: unknown) => ({ ...interactive, content: JSON.stringify(payload) })

describe('400 VALIDATION_ERROR: content is a JSON string with the payload', () => {
  const rows: readonly [name: string, body: unknown, pointers: readonly string[]][] = [
    ['no content', interactive, ['/content']],
    ['an object instead of its JSON', { ...interactive, content: button() }, ['/content']],
    ['an empty text', { ...interactive, content: '' }, ['/content']],
    ['no JSON', { ...interactive, content: '{type:button}' }, ['/content']],
    ['a list', send([button()]), ['/content']],
    ['null', send(null), ['/content']],
    ['JSON in JSON', send(JSON.stringify(button())), ['/content']],
    ['no kind', send({}), ['/content/type']],
    ['a kind that is no text', send({ type: 7 }), ['/content/type']],
    ['nested sixty thousand levels', { ...interactive, content: nested(60_000) }, ['/content']],
    ['a field of the template type', { ...send(button()), templateName: 'a' }, ['/templateName']],
    ['no recipient and a bad payload', { type: 'interactive', content: '{}' }, ['/phone', '/content/type']],
  ]
  test.each(rows)('%s', (_, body, pointers) => expectRefused(gateway, body, pointers))
})

describe('400 VALIDATION_ERROR: each kind', () => {
  const rows: readonly [name: string, payload: unknown, pointers: readonly string[]][] = [
    ['button: nothing but its kind', { type: 'button' }, ['/body', '/action']],
    ['button: an empty body', button({ body: { text: '' } }), ['/body/text']],
    ['button: a body of 1025', button({ body: { text: chars(1_025) } }), ['/body/text']],
    ['button: a footer of 61', button({ footer: { text: chars(61) } }), ['/footer/text']],
    ['button: a header of 61', button({ header: { type: 'text', text: chars(61) } }), ['/header/text']],
    ['button: a header of no kind', button({ header: { type: 'sticker' } }), ['/header/type']],
    ['button: a header without file', button({ header: { type: 'image', image: {} } }), ['/header/image']],
    ['button: none', buttons(), ['/action/buttons']],
    ['button: four', buttons(...'abcd'.split('').map(id => reply(id, id))), ['/action/buttons']],
    [
      'button: same ids and titles',
      buttons(reply('a', 'A'), reply('a', 'A')),
      ['/action/buttons/1/reply/id', '/action/buttons/1/reply/title'],
    ],
    ['button: a title of 21', buttons(reply('a', chars(21))), ['/action/buttons/0/reply/title']],
    ['button: an id of 257', buttons(reply(chars(257), 'A')), ['/action/buttons/0/reply/id']],
    ['button: not a reply', buttons({ type: 'url', reply: { id: 'a', title: 'A' } }), ['/action/buttons/0/type']],
    ['list: no sections', sections(), ['/action/sections']],
    ['list: a section without rows', sections({}), ['/action/sections/0/rows']],
    [
      'list: a section without title beside another',
      sections({ title: 'A', rows: [row('1')] }, { rows: [row('2')] }),
      ['/action/sections/1/title'],
    ],
    ['list: no rows', sections({ title: 'A', rows: [] }), ['/action/sections/0/rows']],
    [
      'list: eleven rows in two sections',
      sections(
        { title: 'A', rows: [1, 2, 3, 4, 5, 6].map(id => row(`a${id}`)) },
        { title: 'B', rows: [1, 2, 3, 4, 5].map(id => row(`b${id}`)) },
      ),
      ['/action/sections'],
    ],
    [
      'list: the same row twice',
      sections({ title: 'A', rows: [row('1'), row('1')] }),
      ['/action/sections/0/rows/1/id'],
    ],
    [
      'list: a description of 73',
      sections({ title: 'A', rows: [row('1', { description: chars(73) })] }),
      ['/action/sections/0/rows/0/description'],
    ],
    ['list: a header that is no text', list({ header: { type: 'image', image: { id: '1' } } }), ['/header/type']],
    ['cta_url: no address', link({ url: undefined }), ['/action/parameters/url']],
    ['cta_url: a script', link({ url: 'javascript:alert(1)' }), ['/action/parameters/url']],
    ['cta_url: a label of 21', link({ display_text: chars(21) }), ['/action/parameters/display_text']],
    ['flow: id and name', flow({ flow_name: 'signup' }), ['/action/parameters']],
    ['flow: neither id nor name', flow({ flow_id: undefined }), ['/action/parameters']],
    ['flow: emoji on its button', flow({ flow_cta: 'Go 🚀' }), ['/action/parameters/flow_cta']],
    [
      'flow: empty data',
      flow({ flow_action_payload: { screen: 'A', data: {} } }),
      ['/action/parameters/flow_action_payload/data'],
    ],
    ['flow: an unknown mode', flow({ mode: 'live' }), ['/action/parameters/mode']],
  ]
  test.each(rows)('%s', (_, payload, pointers) =>
    expectRefused(
      gateway,
      send(payload),
      pointers.map(pointer => `/content${pointer}`),
    ),
  )
})

describe('201: each kind is forwarded as it was written', () => {
  test.each([
    ['button', button()],
    ['list', list()],
    ['cta_url', link()],
    ['flow', flow()],
  ])('%s', async (_, payload) => {
    // Another workspace: this one stays empty for the tables above.
    const { key } = await gateway.addWorkspace()
    const { status, json } = await gateway.send(send(payload), { ...key })
    expect(status).toBe(201)
    expect(takeSent(gateway).json).toEqual({
      messaging_product: 'whatsapp',
      recipient_type: 'individual',
      to: interactive.phone,
      type: 'interactive',
      interactive: payload,
      biz_opaque_callback_data: json.data.id,
    })
  })
})
