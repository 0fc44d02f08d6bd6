import { eventually } from '../../eventually.ts'
import type { Backstage } from './backstage.ts'
import type { Deployment } from './deployment.ts'

/** What the addresses of pages name, by the name of the parameter. */
export type Place = Readonly<
  Record<'workspaceId' | 'channelId' | 'phoneNumberId' | 'templateId' | 'messageId' | 'contactId', string>
>

const orderTemplate = {
  templateName: 'order_confirmation',
  templateLanguage: 'en_US',
  templateVariables: { '1': '1001', '2': 'Ada' },
}
const texts = [
  'Your parcel is on its way.',
  'Your code is 4711.',
  'We open at nine on Saturday.',
  'Thank you for your order.',
]
/** Refused, reported as failed later, lost, only sent: numbers of the sandbox, docs/sandbox.md. */
const troubled = ['+15550101026', '+15550111026', '+15550130010', '+15550140002']

/** Fills a deployment, so that every page has something to show. */
export async function furnish(backstage: Backstage, { sandbox }: Deployment): Promise<Place> {
  const { channelId, lineId } = await backstage.connectSandbox()
  const key = await backstage.createKey('Shop backend')
  const older = await backstage.createKey('Old shop')
  await backstage.call(`/api-keys/${older.apiKey}/revoke`, {})
  for (const role of ['admin', 'member', 'viewer'] as const) await backstage.invite(role)
  await backstage.call('/invitations', { email: 'grace@example.com', role: 'member' })

  const ordinary = Array.from({ length: 12 }, (_, at) => ({
    phone: `+155501501${String(at).padStart(2, '0')}`,
    ...(at % 3 === 0 ? { type: 'template', ...orderTemplate } : { type: 'text', content: texts[at % texts.length] }),
  }))
  const difficult = troubled.map(phone => ({ phone, type: 'text', content: 'Your parcel could not be delivered.' }))
  const sent = await Promise.all([...ordinary, ...difficult].map(message => backstage.send(key, message)))
  await fetch(`${sandbox.url}/sandbox/callbacks/inbound`, {
    method: 'POST',
    body: JSON.stringify({ kind: 'text', from: '+15550150100', text: 'Thank you!' }),
  })

  const contact = await eventuallyFound(async () => {
    const { contacts } = await backstage.call<{ contacts: { id: string; phone: string }[] }>('/contacts')
    return contacts[0]?.id
  })
  const templateId = await eventuallyFound(async () => {
    const { templates } = await backstage.call<{ templates: { id: string; name: string }[] }>(
      `/templates?phoneNumberId=${lineId}`,
    )
    return templates.find(({ name }) => name === 'coupon_reminder')?.id
  })
  const messageId = sent[0] ?? ''
  await eventually(async () => {
    const { message } = await backstage.call<{ message: { status: string } }>(`/messages/${messageId}`)
    if (message.status !== 'READ') throw new Error(`the first message is ${message.status}`)
  })
  return {
    workspaceId: backstage.workspaceId,
    channelId,
    phoneNumberId: lineId,
    templateId,
    messageId,
    contactId: contact,
  }
}

async function eventuallyFound(find: () => Promise<string | undefined>): Promise<string> {
  let found: string | undefined
  await eventually(async () => {
    found = await find()
    if (found === undefined) throw new Error('nothing was found')
  })
  return found ?? ''
}
