import { describe, expect, test } from 'bun:test'
import { exampleValues } from '../../src/templates/exampleSend.ts'
import { checkForwardedAddresses } from '../../src/templates/forwardedComponents.ts'
import { parseTemplate } from '../../src/templates/shape.ts'
import { card, issues, manyButtons, plants, plantsMain, record, structured } from './fixtures.ts'

const withAddress = (url: string, example?: string) =>
  record([
    { type: 'BODY', text: 'Look at {{1}}' },
    { type: 'BUTTONS', buttons: [{ type: 'URL', text: 'Open', url, ...(example !== undefined && { example }) }] },
  ])

const says = (base: string) => `must be only what follows ${base} in the button's address, not a whole address`

describe('a whole address as the value of a URL button', () => {
  const rows: readonly [what: string, url: string, value: string, isRefused: boolean][] = [
    ["the template's own", 'https://shop.example/orders/{{1}}', 'https://shop.example/orders/1001', true],
    ['in another case', 'https://shop.example/orders/{{1}}', ' HTTPS://Shop.example/orders/1001', true],
    ['another one', 'https://shop.example/orders/{{1}}', 'http://other.example/', true],
    ["the template's own behind a =", 'https://x.example/d?p={{1}}', 'https://x.example/d?p=summer', true],
    ['another one behind a =', 'https://x.example/d?to={{1}}', 'https://shop.example/orders/1001', false],
    ['only a part', 'https://shop.example/orders/{{1}}', '1001?from=https://x.example', false],
    ['the whole address is the variable', '{{1}}', 'https://shop.example/', false],
  ]
  test.each(rows)('%s', (_, url, value, isRefused) => {
    const template = withAddress(url)
    const expected = isRefused ? [says(url.slice(0, -'{{1}}'.length))] : []
    const at = (path: string) => expected.map(problem => `${path} ${problem}`)
    expect(issues(template, { templateVariables: { 1: value } })).toEqual(at('/templateVariables/1'))
    expect(issues(template, { bodyParameters: { 1: value } })).toEqual(at('/bodyParameters/1'))
    const components = [{ type: 'button', sub_type: 'url', index: '0', parameters: [{ type: 'text', text: value }] }]
    expect(
      checkForwardedAddresses(components, parseTemplate(template)).map(({ path, message }) => `${path} ${message}`),
    ).toEqual(at('/templateComponents/0/parameters/0/text'))
  })

  test('the body may show it, with a value of its own', () => {
    const whole = 'https://shop.example/orders/1001'
    const template = withAddress('https://shop.example/orders/{{1}}')
    expect(issues(template, { templateVariables: { 1: '1001' }, bodyParameters: { 1: whole } })).toEqual([])
  })

  const whole = 'https://x.example/p/blue-elf'
  const problem = says('https://x.example/p/')

  test('on a card, by its key, structured and forwarded', () => {
    const keys = { ...plantsMain, c0_header: '1', c0_1: whole, c1_header: '1', c1_1: 'fern' }
    expect(issues(plants(2), { templateVariables: keys })).toEqual([`/templateVariables/c0_1 ${problem}`])

    const buttonValues = [{ index: 1, sub_type: 'url', parameters: { type: 'text', text: whole } }]
    expect(issues(plants(2), structured(card(1), card(0, { buttonValues })))).toEqual([
      `/carousel/cards/1/buttonValues/0/parameters/text ${problem}`,
    ])

    const button = { type: 'button', sub_type: 'url', index: 1, parameters: [{ type: 'text', text: whole }] }
    const forwarded = [{ type: 'carousel', cards: [{ card_index: 1, components: [{ type: 'body' }, button] }] }]
    expect(checkForwardedAddresses(forwarded, parseTemplate(plants(2)))).toEqual([
      { path: '/templateComponents/0/cards/0/components/1/parameters/0/text', message: problem },
    ])
  })

  test('what does not fit the template is left to the upstream', () => {
    const strange = [null, { type: 'button', index: 'x' }, { type: 'button', index: 9 }, { type: 'carousel', cards: 7 }]
    expect(checkForwardedAddresses(strange, parseTemplate(manyButtons))).toEqual([])
  })

  test('is no example', () => {
    const template = withAddress('https://shop.example/orders/{{1}}', 'https://www.shop.example/orders/1001')
    expect(exampleValues(template)).toMatchObject({ templateVariables: { 1: 'example' } })
  })
})
