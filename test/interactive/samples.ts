import { expect, test } from 'bun:test'
import { checkInteractive } from '../../src/interactive/check.ts'
import { checkSentInteractive as standIn } from '../../src/sandbox/checks/interactive.ts'

/** The issues as lines, without the common `/content`. */
export function issues(payload: unknown): string[] {
  const result = checkInteractive(JSON.stringify(payload))
  return result.ok ? [] : result.issues.map(({ path, message }) => `${path.replace(/^\/content/, '')} ${message}`)
}

export const chars = (count: number) => 'x'.repeat(count)
export const body = { text: 'Choose' }

export const reply = (id: string, title: string) => ({ type: 'reply', reply: { id, title } })
export const button = (rest: object = {}) => ({
  type: 'button',
  header: { type: 'image', image: { id: '1558081531584829' } },
  body,
  footer: { text: 'Lucky Shrub' },
  action: { buttons: [reply('yes', 'Yes'), reply('no', 'No')] },
  ...rest,
})
export const buttons = (...list: unknown[]) => button({ action: { buttons: list } })

export const row = (id: string, rest: object = {}) => ({ id, title: 'Row', ...rest })
export const list = (rest: object = {}) => ({
  type: 'list',
  header: { type: 'text', text: 'Plants' },
  body,
  footer: { text: 'Lucky Shrub' },
  action: {
    button: 'Open',
    sections: [
      { title: 'Aloes', rows: [row('1', { description: 'Small' })] },
      { title: 'Cacti', rows: [row('2')] },
    ],
  },
  ...rest,
})
export const sections = (...all: unknown[]) => list({ action: { button: 'Open', sections: all } })

export const link = (parameters: object = {}, rest: object = {}) => ({
  type: 'cta_url',
  header: { type: 'document', document: { link: 'https://x.example/a.pdf', filename: 'a.pdf' } },
  body,
  footer: { text: 'Lucky Shrub' },
  action: { name: 'cta_url', parameters: { display_text: 'See dates', url: 'https://x.example/d', ...parameters } },
  ...rest,
})

export const flow = (parameters: object = {}) => ({
  type: 'flow',
  header: { type: 'text', text: 'Sign up' },
  body,
  footer: { text: 'Lucky Shrub' },
  action: {
    name: 'flow',
    parameters: {
      flow_message_version: '3',
      flow_id: '1',
      flow_cta: 'Book 1 seat',
      flow_token: 'tok-1',
      mode: 'published',
      flow_action: 'navigate',
      flow_action_payload: { screen: 'FIRST', data: { product: 'aloe' } },
      ...parameters,
    },
  },
})

export const call = (parameters: object = {}, rest: object = {}) => ({
  type: 'voice_call',
  body,
  action: { name: 'voice_call', parameters: { display_text: 'Call', ttl_minutes: 60, payload: 'p', ...parameters } },
  ...rest,
})

export const ask = (type: string, name: string, rest: object = {}) => ({ type, body, action: { name }, ...rest })

const item = (id: string) => ({ product_retailer_id: id })
export const product = (action: object = {}, rest: object = {}) => ({
  type: 'product',
  action: { catalog_id: '1', ...item('sku'), ...action },
  ...rest,
})
export const products = (rest: object = {}) => ({
  type: 'product_list',
  header: { type: 'text', text: 'Plants' },
  body,
  footer: { text: 'Lucky Shrub' },
  action: { catalog_id: '1', sections: [{ title: 'Aloes', product_items: [item('a'), item('b')] }] },
  ...rest,
})
export const productSections = (...sections: object[]) => products({ action: { catalog_id: '1', sections } })
export const items = (count: number) => Array.from({ length: count }, (_, at) => item(`sku${at}`))

export const linkCard = (index: number, rest: object = {}) => ({
  card_index: index,
  type: 'cta_url',
  header: { type: 'image', image: { link: 'https://x.example/a.jpg' } },
  body: { text: 'Aloe' },
  action: { name: 'cta_url', parameters: { display_text: 'See', url: 'https://x.example/d' } },
  ...rest,
})
export const replyCard = (index: number, titles: string[] = ['More'], rest: object = {}) =>
  linkCard(index, {
    action: { buttons: titles.map(title => ({ type: 'quick_reply', quick_reply: { id: `${title}${index}`, title } })) },
    ...rest,
  })
export const productCard = (index: number, action: object = {}) => ({
  card_index: index,
  type: 'product',
  action: { catalog_id: '1', ...item('sku'), ...action },
})
export const carousel = (cards: unknown[] = [linkCard(0), linkCard(1)], rest: object = {}) => ({
  type: 'carousel',
  body,
  action: { cards },
  ...rest,
})

/**
 * A row of a table: what is sent, the lines it is refused with, and the code with which the stand-in for the upstream
 * refuses it: 131009, a value that is not allowed, unless the row says otherwise. `null`: the stand-in is not asked.
 */
export type Row = readonly [name: string, payload: unknown, expected: readonly string[], code?: number | null]

/** The line of a text that is longer than so many characters. */
export const tooLong = (path: string, max: number) => `${path} must be at most ${max} characters long`

/** Our rules name exactly the problems of each row, and the stand-in accepts and refuses the same. */
export function judge(rows: readonly Row[]): void {
  test.each(rows)('%s', (_, payload, expected, code = 131009) => {
    expect(issues(payload)).toEqual([...expected])
    if (code !== null) expect(standIn(payload, () => undefined)?.code).toBe(expected.length === 0 ? undefined : code)
  })
}
