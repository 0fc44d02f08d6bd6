import { expect, test } from 'bun:test'
import { exampleFiles } from '../../src/sandbox/state/exampleFiles.ts'
import { userIdOf } from '../../src/sandbox/state/random.ts'
import { freshFixture } from '../fixture.ts'
import { at, body, button, startRig, textParameter, user, wamidOf } from './rig.ts'

const rig = freshFixture(startRig)
const html = { accept: 'text/html' }
const digits = user.slice(1)
const thread = async () => (await rig.call('GET', `/sandbox/phone/thread?user=${digits}`)).text
const link = 'https://x.example/a.png'
const words = { body: { text: 'Please choose.' } }

test('in a browser the sandbox is the phone of a user; for programs it is its description', async () => {
  expect((await rig.call('GET', '/sandbox', undefined, html)).text).toContain('No message has come yet')
  await rig.text({ text: { body: 'Hello <b>Ada</b>' } })
  const page = await rig.call('GET', '/sandbox', undefined, html)
  expect(page.headers.get('content-security-policy')).toStartWith("default-src 'none'")
  expect(page.text).toContain(`<h1>+${digits}</h1>`)
  expect(at((await rig.call('GET', '/sandbox')).json, 'name')).toBe('Waypost sandbox')
  expect(await thread()).toContain('<p>Hello &#60;b&#62;Ada&#60;/b&#62;</p>')
})

test('what went to the user id of somebody with a number is on the same phone', async () => {
  await rig.text({ text: { body: 'To the number' } })
  await rig.text({ to: undefined, recipient: userIdOf(digits), text: { body: 'To the user' } })
  const page = (await rig.call('GET', '/sandbox', undefined, html)).text
  expect(page).toContain(`<h1>+${digits}</h1>`)
  expect(page).not.toContain(userIdOf(digits))
  expect(await thread()).toMatch(/To the number.*To the user/s)
  await rig.text({ to: undefined, recipient: 'US.1', text: { body: 'To another' } })
  expect((await rig.call('GET', '/sandbox', undefined, html)).text).toContain('<h1>US.1</h1>')
})

const image = exampleFiles.image ?? { bytes: new Uint8Array(), mimeType: '' }

test.each<[what: string, content: object, shown: string[]]>([
  ['image', { image: { link, caption: 'Our aloe' } }, [`<img src="${link}"`, 'Our aloe']],
  ['video', { video: { link } }, ['<video']],
  ['audio', { audio: { link, voice: true } }, ['voice message', '<audio']],
  ['document', { document: { link, filename: 'invoice.pdf' } }, [`<a href="${link}">invoice.pdf</a>`]],
  ['sticker', { sticker: { link } }, ['alt="sticker"']],
  ['location', { location: { latitude: 52.5, longitude: 13.4, name: 'Shop' } }, ['52.5, 13.4', '<b>Shop</b>']],
  [
    'contacts',
    { contacts: [{ name: { formatted_name: 'Ada L', first_name: 'Ada' }, phones: [{ phone: '+15550150100' }] }] },
    ['👤 Ada L', '+15550150100'],
  ],
  ['reaction', { reaction: { message_id: 'wamid.x', emoji: '👍' } }, ['reacts with 👍', 'wamid.x']],
  ['text', { text: { body: 'Yes' }, context: { message_id: 'wamid.y' } }, ['answers wamid.y', 'Yes']],
  [
    'template',
    {
      template: {
        name: 'order_confirmation',
        language: { code: 'en_US' },
        components: [body('Ada Byron', 'A-77'), button('url', '0', textParameter('1'))],
      },
    },
    ['Ada Byron', 'A-77'],
  ],
  [
    'interactive',
    { interactive: { type: 'voice_call', ...words, action: { name: 'voice_call' } } },
    ['<i>📞 Call</i>'],
  ],
  [
    'interactive',
    {
      interactive: {
        type: 'button',
        ...words,
        footer: { text: 'Shop' },
        action: {
          buttons: [
            { type: 'cta_url', cta_url: { display_text: 'Open', url: link } },
            { type: 'reply', reply: { id: 'yes', title: 'Yes' } },
          ],
        },
      },
    },
    ['Please choose.', '<small>Shop</small>', '<i>Open</i><i>Yes</i>'],
  ],
  [
    'interactive',
    {
      interactive: {
        type: 'list',
        ...words,
        action: { button: 'Open', sections: [{ title: 'Plants', rows: [{ id: '1', title: 'Aloe' }] }] },
      },
    },
    ['<b>Plants</b><i>Aloe</i>'],
  ],
])('a message of kind %s is shown plainly', async (type, content, shown) => {
  const sent = await rig.send({ type, ...content })
  expect(sent.text).toContain('wamid.')
  const text = await thread()
  for (const part of shown) expect(text).toContain(part)
})

test('an uploaded file is shown by its id', async () => {
  const id = at((await rig.upload(image.bytes, image.mimeType)).json, 'id')
  await rig.send({ type: 'image', image: { id } })
  expect(await thread()).toContain(`<img src="/sandbox/media/${id}"`)
  const file = await fetch(`${rig.sandbox.url}/sandbox/media/${id}`)
  expect([file.headers.get('content-type'), await file.bytes()]).toEqual([image.mimeType, image.bytes])
  expect((await rig.call('GET', '/sandbox/media/1')).status).toBe(404)
})

test('what the user answers goes to the gateway, and is on the phone', async () => {
  const answer = await fetch(`${rig.sandbox.url}/sandbox/phone`, {
    method: 'POST',
    body: new URLSearchParams({ user: digits, text: 'Thank you' }),
    redirect: 'manual',
  })
  expect([answer.status, answer.headers.get('location')]).toEqual([303, `/sandbox/phone?user=${digits}`])
  expect(await thread()).toContain('<article class="own"><p>Thank you</p>')
  const none = await fetch(`${rig.sandbox.url}/sandbox/phone`, { method: 'POST', body: 'user=x' })
  expect(none.status).toBe(400)
})

test('its user answers and reacts to a message, and sends a picture', async () => {
  const wamid = wamidOf(await rig.text({ text: { body: 'Your parcel is on its way.' } }))
  const page = await rig.call('GET', `/sandbox/phone?user=${digits}&to=${encodeURIComponent(wamid)}`)
  expect(page.text).toContain('<q>Your parcel is on its way.</q>')
  const write = async (fields: Record<string, string | Blob>) => {
    const form = new FormData()
    for (const [name, value] of Object.entries({ user: digits, file: new Blob([]), ...fields }))
      form.append(name, value)
    const init = { method: 'POST', body: form, redirect: 'manual' } as const
    return (await fetch(`${rig.sandbox.url}/sandbox/phone`, init)).status
  }
  expect(await write({ contextId: wamid, text: 'Thank you' })).toBe(303)
  expect(await thread()).toContain('<article class="own"><q>Your parcel is on its way.</q><p>Thank you</p>')
  for (const [emoji, shown] of [
    ['👍', '👍'],
    ['🙏', '🙏'],
  ] as const) {
    expect(await write({ contextId: wamid, text: '', emoji })).toBe(303)
    expect(await thread()).toContain(`<span class="at">${shown}</span></article>`)
  }
  await rig.sandbox.control.inbound({ kind: 'reaction', from: user, contextId: wamid, emoji: '' })
  expect(await thread()).not.toContain('class="at"')
  expect(
    await write({ text: 'My plant', file: new Blob([new Uint8Array(image.bytes)], { type: image.mimeType }) }),
  ).toBe(303)
  expect(await thread()).toMatch(/<article class="own"><img src="[^"]+" alt="image"><p>My plant<[/]p>/)
  const before = await thread()
  expect([await write({ text: '' }), await thread()]).toEqual([303, before])
  const broken = new Blob(['no picture'], { type: 'image/png' })
  expect(await write({ file: broken })).toBe(400)
})

test('no address runs a script on it', async () => {
  await rig.text({ text: { body: 'Hello' } })
  const script = '"><script>alert(1)</script>'
  const query = `?user=${encodeURIComponent(script)}`
  for (const path of [`/sandbox/phone${query}`, `/sandbox/phone/thread${query}`]) {
    const page = await rig.call('GET', path)
    expect(page.text).not.toContain('<script')
    expect(page.headers.get('content-security-policy')).toStartWith("default-src 'none'")
  }
})
