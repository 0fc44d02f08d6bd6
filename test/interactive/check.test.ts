import { describe, expect, test } from 'bun:test'
import { checkInteractive } from '../../src/interactive/check.ts'
import { body, button, chars, flow, issues, judge, link, list, type Row, reply, tooLong } from './samples.ts'

describe('content: a JSON string holding the interactive payload', () => {
  test.each([button(), list(), link(), flow()])('the complete sample of each kind passes untouched: %#', payload => {
    const result = checkInteractive(JSON.stringify(payload))
    expect(result.ok && result.payload).toEqual(payload as never)
  })

  test('only a flow tells what its session is kept by', () => {
    expect(checkInteractive(JSON.stringify(flow()))).toMatchObject({ flow: { token: 'tok-1', id: '1', name: null } })
    const byName = flow({ flow_id: undefined, flow_name: 'signup', flow_token: undefined })
    expect(checkInteractive(JSON.stringify(byName))).toMatchObject({ flow: { token: null, id: null, name: 'signup' } })
    expect('flow' in checkInteractive(JSON.stringify(button()))).toBe(false)
  })

  const unreadable: readonly [name: string, content: string, message: string][] = [
    ['empty', '', 'must be a JSON string'],
    ['not JSON', '{type: button}', 'must be a JSON string'],
    ['an array', '[]', 'must be the JSON of an object'],
    ['null', 'null', 'must be the JSON of an object'],
    ['a string in a string', JSON.stringify(JSON.stringify(button())), 'must be the JSON of an object'],
    ['33 levels', `${'{"a":'.repeat(33)}1${'}'.repeat(33)}`, 'must not be nested deeper than 32 levels'],
  ]
  test.each(unreadable)('%s is refused', (_, content, message) => {
    expect(checkInteractive(content)).toEqual({ ok: false, issues: [{ path: '/content', message }] })
  })

  test('a hundred thousand levels are refused, not fatal', () => {
    const levels = 100_000
    expect(checkInteractive(`${'['.repeat(levels)}${']'.repeat(levels)}`).ok).toBe(false)
    expect(checkInteractive(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`).ok).toBe(false)
  })

  test('type is required', () => {
    expect(issues({})).toEqual(['/type is required'])
    expect(issues({ type: 5 })).toEqual(['/type must be a string'])
  })
})

describe('header, body and footer', () => {
  judge([
    ['no header or footer', button({ header: undefined, footer: undefined }), []],
    ['no body', button({ body: undefined }), ['/body is required'], 131008],
    ['a body of 1025 of a link', link({}, { body: { text: chars(1025) } }), [tooLong('/body/text', 1024)]],
    ['a body of 1025 of a flow', { ...flow(), body: { text: chars(1025) } }, [tooLong('/body/text', 1024)]],
    ['a footer of 61 of a list', list({ footer: { text: chars(61) } }), [tooLong('/footer/text', 60)]],
    ['a footer of 61 of a link', link({}, { footer: { text: chars(61) } }), [tooLong('/footer/text', 60)]],
    ['a header of 61 of a list', list({ header: { type: 'text', text: chars(61) } }), [tooLong('/header/text', 60)]],
    ['an empty body', button({ body: { text: '' } }), ['/body/text must not be empty']],
    ['a body of white space', button({ body: { text: ' \n\u00a0' } }), ['/body/text must not be empty']],
    ['a body of 1024', button({ body: { text: chars(1024) } }), []],
    ['a body of 1025', button({ body: { text: chars(1025) } }), [tooLong('/body/text', 1024)]],
    ['a list body of 4096', list({ body: { text: chars(4096) } }), []],
    ['a list body of 4097', list({ body: { text: chars(4097) } }), [tooLong('/body/text', 4096)]],
    ['a footer of 61', button({ footer: { text: chars(61) } }), [tooLong('/footer/text', 60)]],
    ['a footer that is text', button({ footer: 'x' }), ['/footer must be an object'], 131008],
    ['a header of 60 emoji', button({ header: { type: 'text', text: '😀'.repeat(60) } }), []],
    ['a header of 61', button({ header: { type: 'text', text: chars(61) } }), [tooLong('/header/text', 60)]],
    ['a header without its kind', button({ header: { text: 'x' } }), ['/header/type is required'], 100],
    [
      'an unknown header',
      button({ header: { type: 'audio' } }),
      ['/header/type must be text or image or video or document'],
      100,
    ],
    // The stand-in looks for media among its uploads.
    [
      'a header of a media handle',
      button({ header: { type: 'image', image: { id: '4::aW1hZ2U' } } }),
      ['/header/image/id must be the media id of an upload to the channel: digits only'],
      null,
    ],
    [
      'a media header without media',
      button({ header: { type: 'video', image: {} } }),
      ['/header/video is required'],
      null,
    ],
    [
      'media without id or link',
      button({ header: { type: 'video', video: {} } }),
      ['/header/video must have either id or link'],
      null,
    ],
    [
      'media with both',
      button({ header: { type: 'image', image: { id: '1', link: 'http://x.example' } } }),
      ['/header/image must have either id or link'],
      null,
    ],
    [
      'a media link that is none',
      button({ header: { type: 'image', image: { link: 'x' } } }),
      ['/header/image/link must be an http or https URL'],
      null,
    ],
    [
      'a numeric media id',
      button({ header: { type: 'image', image: { id: 1 } } }),
      ['/header/image/id must be a string'],
      null,
    ],
    [
      'a list with a media header',
      list({ header: { type: 'image', image: { id: '1' } } }),
      ['/header/type must be text'],
    ],
  ])
})

describe('other kinds', () => {
  judge([
    ...['order_details', 'order_status', 'address_message'].map(
      (type): Row => [
        type,
        { type, body, action: { name: type, parameters: { reference_id: 'r1', country: 'IN' } } },
        [],
      ],
    ),
    ['an action that is a list', { type: 'order_status', body, action: [] }, ['/action must be an object'], 131008],
    ['a body that is no object', { type: 'order_status', body: 'x', action: {} }, ['/body must be an object'], 100],
    [
      'broken common parts',
      { type: 'order_status', body: { text: 5 }, action: 'x' },
      ['/action must be an object', '/body/text must be a string'],
      131008,
    ],
  ])
})

test('all problems come at once, and no value is shown', () => {
  const wrong = button({ body: {}, footer: { text: 'secret'.repeat(20) }, action: { buttons: [reply('secret', '')] } })
  expect(issues(wrong)).toEqual([
    '/body/text is required',
    tooLong('/footer/text', 60),
    '/action/buttons/0/reply/title must not be empty',
  ])
})
