import { afterEach, describe, test } from 'bun:test'
import { sharedFixture } from '../fixture.ts'
import { startTestGateway } from '../gateway.ts'
import { button, flow, link, row, sections } from '../interactive/samples.ts'
import { expectNothingHappened, expectRefused, interactive, nested } from './refusals.ts'

const gateway = sharedFixture(startTestGateway)
afterEach(() => {
  gateway.upstream.received.length = 0
})
afterEach(() => expectNothingHappened(gateway))

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
    ['a code with buttons', { ...send(button()), category: 'authentication' }, ['/category']],
    ['a list that is sent directly', { ...send(sections({ rows: [row('1')] })), category: 'utility' }, ['/category']],
    ['a field of the template type', { ...send(button()), templateName: 'a' }, ['/templateName']],
    ['no recipient and a bad payload', { type: 'interactive', content: '{}' }, ['/phone', '/content/type']],
  ]
  test.each(rows)('%s', (_, body, pointers) => expectRefused(gateway, body, pointers))
})

/** Limit by limit: `test/interactive/`. */
describe('400 VALIDATION_ERROR: each kind', () => {
  const rows: readonly [name: string, payload: unknown, pointers: readonly string[]][] = [
    ['button', { type: 'button' }, ['/content/body', '/content/action']],
    ['list', sections(), ['/content/action/sections']],
    ['cta_url', link({ url: 'javascript:alert(1)' }), ['/content/action/parameters/url']],
    ['flow', flow({ flow_name: 'signup' }), ['/content/action/parameters']],
  ]
  test.each(rows)('%s', (_, payload, pointers) => expectRefused(gateway, send(payload), pointers))
})
