import { beforeEach, describe, expect, test } from 'bun:test'
import GreatDetail, { MessageType } from '@great-detail/whatsapp'
import { WhatsAppClient } from '@kapso/whatsapp-cloud-api'
import { WhatsAppAPI } from 'whatsapp-api-js'
import { Text } from 'whatsapp-api-js/messages'
import { sharedFixture } from '../fixture.ts'
import { type Address, shapeOf, startClientStack } from './recorded/clients.ts'
import { accountId, user } from './stack.ts'

/*
 * Clients of the platform, as their packages are published, each by the one setting that docs/drop-in.md names: what they
 * get from the stand-in of the platform, they get through the gateway.
 */

const stack = sharedFixture(startClientStack)
beforeEach(() => stack.control.reset())

const line = () => stack.line.upstreamPhoneId

/** @returns what both gave */
async function alike(act: (address: Address) => Promise<unknown>): Promise<unknown> {
  const [one, other] = [await act(stack.straight), await act(stack.through)]
  expect(shapeOf(other)).toEqual(shapeOf(one))
  return other
}

describe('@kapso/whatsapp-cloud-api, by baseUrl', () => {
  const client = ({ url, accessToken }: Address) => new WhatsAppClient({ baseUrl: url, accessToken })
  const to = user.slice(1)

  test('sends a text, a picture that it uploads, and buttons', async () => {
    await alike(address => client(address).messages.sendText({ phoneNumberId: line(), to, body: 'Hello' }))
    await alike(async address => {
      const file = new Blob([picture], { type: 'image/png' })
      const { id } = await client(address).media.upload({
        phoneNumberId: line(),
        type: 'image/png',
        file,
        fileName: 'a.png',
      })
      return client(address).messages.sendImage({ phoneNumberId: line(), to, image: { id, caption: 'A' } })
    })
    await alike(address =>
      client(address).messages.sendInteractiveButtons({
        ...{ phoneNumberId: line(), to, bodyText: 'Today?' },
        buttons: [{ id: 'yes', title: 'Yes' }],
      }),
    )
  })

  test('lists templates, and reads the error of a send as the platform words it', async () => {
    await alike(address => client(address).templates.list({ businessAccountId: accountId, limit: 2 }))
    const send = (address: Address) =>
      client(address)
        .messages.sendTemplate({ phoneNumberId: line(), to, template: { name: 'none', language: { code: 'en_US' } } })
        .catch(error => ({ code: error.code, name: error.name }))
    await alike(send)
  })
})

describe('@great-detail/whatsapp, by baseUrl', () => {
  const client = ({ url, accessToken }: Address) =>
    new GreatDetail({ baseUrl: url, request: { headers: { Authorization: `Bearer ${accessToken}` } } })

  test('sends a text', async () => {
    await alike(address =>
      client(address).message.createMessage({
        ...{ phoneNumberID: line(), to: user, type: MessageType.Text, text: { body: 'Hello' } },
      }),
    )
  })
})

describe('whatsapp-api-js, by a fetch that puts another host', () => {
  const client = ({ url, accessToken }: Address) =>
    new WhatsAppAPI({
      ...{ token: accessToken, appSecret: 'app-secret', v: 'v23.0' },
      ponyfill: {
        fetch: ((input: string, init?: RequestInit) =>
          fetch(String(input).replace('https://graph.facebook.com', url), init)) as typeof fetch,
      },
    })

  test('sends a text with words of its own, and marks a message as read', async () => {
    await alike(address => client(address).sendMessage(line(), user, new Text('Hello'), undefined, 'order 7'))
    expect((await stack.messages())[0]?.reference).toBe('order 7')
    await stack.control.inbound({ kind: 'text', from: user })
    const { channelMessageId = '' } = stack.inbound().at(-1) ?? {}
    expect(await alike(address => client(address).markAsRead(line(), channelMessageId))).toEqual({ success: true })
  })

  test('reads and deletes a file that it uploads', async () => {
    const upload = async (address: Address) => {
      const form = new FormData()
      form.set('file', new Blob([picture], { type: 'image/png' }), 'a.png')
      const uploaded = await client(address).uploadMedia(line(), form)
      return 'id' in uploaded ? uploaded.id : ''
    }
    await alike(async address => {
      const id = await upload(address)
      const file = await client(address).retrieveMedia(id, line())
      const bytes = 'url' in file ? await (await client(address).fetchMedia(file.url)).bytes() : null
      expect(bytes).toEqual(new Uint8Array(picture))
      return [file, await client(address).deleteMedia(id), await client(address).retrieveMedia(id).then(Object.keys)]
    })
  })

  test('blocks users, and makes, changes and deletes a QR code', async () => {
    await alike(address => client(address).blockUser(line(), user))
    await alike(address => client(address).unblockUser(line(), user))
    await alike(async address => {
      const made = await client(address).createQR(line(), 'Hello')
      const code = 'code' in made ? String(made.code) : ''
      return [
        made,
        await client(address).updateQR(line(), code, 'Hi'),
        await client(address).retrieveQR(line(), code),
        await client(address).deleteQR(line(), code),
      ]
    })
  })
})

const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
