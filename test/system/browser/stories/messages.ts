import { expect } from 'bun:test'
import { messageFieldNames } from '../../../../db/messageFields.ts'
import { eventually } from '../../../eventually.ts'
import { accessibilityFindings } from '../axe.ts'
import { Backstage, ownerEmail } from '../backstage.ts'
import { signIn } from '../people.ts'
import { story } from '../stage.ts'
import { phone } from '../visitor.ts'

const refusedPhone = '+15550101026'

export function messageStories(): void {
  story('messages: filters are in the address and stay after a reload; the CSV has what is shown', async stage => {
    const backstage = await Backstage.signUp(stage.deployment)
    await backstage.connectSandbox()
    const key = await backstage.createKey('Shop backend')
    await backstage.send(key, { type: 'text', phone: '+15550150100', content: 'Thank you.' })
    await backstage.send(key, { type: 'text', phone: refusedPhone, content: 'Thank you.' })
    const visitor = await stage.visitor()
    const { page } = visitor
    await page.goto(`/console/w/${backstage.workspaceId}/messages`)
    await signIn(visitor, ownerEmail)
    const rows = page.getByRole('table', { name: 'Messages' }).locator('tbody').getByRole('row')
    await rows.nth(1).waitFor()

    await page.getByRole('button', { name: 'Status: Any' }).click()
    await page.getByRole('checkbox', { name: 'Failed' }).check()
    await page.keyboard.press('Escape')
    await page.waitForURL('**/messages?status=FAILED')
    await rows.nth(1).waitFor({ state: 'detached' })
    await page.reload()
    await rows.first().waitFor()
    expect(await rows.allTextContents()).toEqual([expect.stringContaining(refusedPhone)])

    await page.getByRole('button', { name: 'Export CSV' }).click()
    const dialog = page.getByRole('dialog', { name: 'Export messages?' })
    await dialog.getByText('1 message', { exact: true }).waitFor()
    await dialog.getByLabel('Days').selectOption('Yesterday')
    await dialog.getByText('No message matches.').waitFor()
    await dialog.getByLabel('Days').selectOption('Last 7 days')
    await dialog.getByText('1 message', { exact: true }).waitFor()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      dialog.getByRole('button', { name: 'Export', exact: true }).click(),
    ])
    const [head, ...lines] = (await Bun.file(await download.path()).text()).trim().split('\n')
    expect(head).toContain('status')
    expect(lines).toEqual([expect.stringContaining(refusedPhone)])
  })

  story('the page of a message has each value that its send has brought', async stage => {
    const backstage = await Backstage.signUp(stage.deployment)
    await backstage.connectSandbox()
    const key = { ...(await backstage.createKey('Shop backend')), 'x-request-id': 'checkout-7' }
    const id = await backstage.send(key, {
      ...{ type: 'template', phone: '+15550150107', idempotencyKey: 'order-1001-paid', reference: 'order-1001' },
      ...{ templateName: 'order_confirmation', templateLanguage: 'en_US' },
      templateVariables: { '1': '1001', '2': 'Ada' },
    })
    const { message } = await backstage.call<{ message: Record<string, string | null> }>(`/messages/${id}`)
    // The preview shows the type, a contact is named in place of its id, and this one repeats no other.
    const elsewhere: readonly string[] = ['type', 'contactId', 'againOf']
    const brought = messageFieldNames.filter(name => !elsewhere.includes(name))
    expect(brought.filter(name => message[name] === null)).toEqual([])

    const visitor = await stage.visitor()
    await visitor.page.goto(`/console/w/${backstage.workspaceId}/messages/${id}`)
    await signIn(visitor, ownerEmail)
    const facts = visitor.page.locator('.facts')
    await facts.waitFor()
    const shown = await facts.textContent()
    expect(brought.filter(name => !shown?.includes(message[name] ?? ''))).toEqual([])
  })

  story('the keyboard alone: search, walk the list, open a message, leave the search', async stage => {
    const backstage = await Backstage.signUp(stage.deployment)
    await backstage.connectSandbox()
    const key = await backstage.createKey('Shop backend')
    const phones = ['+15550150101', '+15550150102'] as const
    for (const number of phones) await backstage.send(key, { type: 'text', phone: number, content: 'Thank you.' })
    const visitor = await stage.visitor()
    const { page } = visitor
    await page.goto(`/console/w/${backstage.workspaceId}/messages`)
    await signIn(visitor, ownerEmail)
    const focused = page.locator(':focus')
    await page.getByRole('link', { name: phones[0] }).waitFor()

    await page.keyboard.press('j')
    expect(await focused.textContent()).toBe('+15550150102')
    await page.keyboard.press('ArrowDown')
    expect(await focused.textContent()).toBe('+15550150101')
    await page.keyboard.press('k')
    expect(await focused.textContent()).toBe('+15550150102')

    await page.keyboard.press('/')
    expect(await focused.getAttribute('aria-label')).toBe('Search messages')
    await page.keyboard.type('+15550150101')
    await page.getByRole('link', { name: phones[1] }).waitFor({ state: 'detached' })
    await page.keyboard.press('Escape')
    expect(await focused.count()).toBe(0)
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/messages/msg_*')
    await page.getByRole('heading', { level: 1, name: phones[0] }).waitFor()

    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
  })

  story('a search finds what people remember; columns stay hidden; a telephone shows seven messages', async stage => {
    const backstage = await Backstage.signUp(stage.deployment)
    await backstage.connectSandbox()
    const key = await backstage.createKey('Shop backend')
    const template = { templateName: 'order_confirmation', templateLanguage: 'en_US' }
    const variables = { templateVariables: { '1': '1001', '2': 'Ada' } }
    await backstage.send(key, { type: 'template', phone: '+15550150107', ...template, ...variables })
    await backstage.send(key, { type: 'text', phone: '+15550150472', content: 'Your parcel leaves Hamburg.' })
    for (let n = 100; n < 107; n += 1) {
      await backstage.send(key, { type: 'text', phone: `+15550150${n}`, content: 'We open at nine.' })
    }
    await fetch(`${stage.deployment.sandbox.url}/sandbox/callbacks/inbound`, {
      method: 'POST',
      body: JSON.stringify({ kind: 'text', from: '+15550150472', name: 'Mei Chen', text: 'Thanks' }),
    })
    await eventually(async () => {
      const { contacts } = await backstage.call<{ contacts: unknown[] }>('/contacts?q=chen')
      expect(contacts).toHaveLength(1)
    })
    const visitor = await stage.visitor()
    const { page } = visitor
    await page.goto(`/console/w/${backstage.workspaceId}/messages`)
    await signIn(visitor, ownerEmail)
    const rows = page.getByRole('table', { name: 'Messages' }).locator('tbody').getByRole('row')
    await page.getByText('9 messages', { exact: true }).waitFor()
    const search = page.getByLabel('Search messages')
    for (const [text, shown] of [
      ['hamburg', 'Your parcel leaves Hamburg.'],
      ['chen', 'Mei Chen'],
      ['0472', '+15550150472'],
      ['order_conf', 'order_confirmation'],
      ['thank you', 'order_confirmation'],
    ] as const) {
      await search.fill(text)
      await page.getByText('1 message', { exact: true }).waitFor()
      expect(await rows.allTextContents()).toEqual([expect.stringContaining(shown)])
      await search.fill('')
      await page.getByText('9 messages', { exact: true }).waitFor()
    }

    await page.getByRole('button', { name: 'Columns' }).click()
    await page.getByRole('checkbox', { name: 'From line' }).uncheck()
    await page.getByRole('columnheader', { name: 'From line' }).waitFor({ state: 'detached' })
    await page.reload()
    await page.getByRole('columnheader', { name: 'Sent by' }).waitFor()
    expect(await page.getByRole('columnheader', { name: 'From line' }).count()).toBe(0)

    await page.setViewportSize(phone)
    await rows.nth(8).waitFor()
    const boxes = await Promise.all((await rows.all()).map(row => row.boundingBox()))
    const isSeen = (box: (typeof boxes)[number]) => box !== null && box.y + box.height <= phone.height
    expect(boxes.filter(isSeen).length).toBeGreaterThanOrEqual(7)
  })

  story('why a message failed, from the overview to the cure', async stage => {
    const backstage = await Backstage.signUp(stage.deployment)
    await backstage.connectSandbox()
    const key = await backstage.createKey('Shop backend')
    await backstage.send(key, { type: 'text', phone: '+15550150100', content: 'Thank you.' })
    await backstage.send(key, { type: 'text', phone: '+15550100190', content: 'Your *table* is free.' })
    const visitor = await stage.visitor()
    const { page } = visitor
    await page.goto(`/console/w/${backstage.workspaceId}`)
    await signIn(visitor, ownerEmail)
    await page.getByRole('link', { name: /^1 × The access token/ }).click()
    const row = page.getByRole('table', { name: 'Messages' }).locator('tbody').getByRole('row')
    await row.getByText('Access token not valid').waitFor()
    expect(await row.count()).toBe(1)
    await row.getByRole('link').click()
    await page.getByRole('heading', { name: 'What the recipient would see' }).waitFor()
    expect(await page.getByRole('figure').textContent()).toBe('Your table is free.')
    await page.getByRole('link', { name: 'Replace the token' }).click()
    await page.waitForURL('**/channels/chan_*')
    await page.getByRole('heading', { level: 1 }).waitFor()
  })

  story('a message that is sent again leads to the new one, and that one back', async stage => {
    const backstage = await Backstage.signUp(stage.deployment)
    await backstage.connectSandbox()
    const key = await backstage.createKey('Shop backend')
    await backstage.send(key, { type: 'text', phone: refusedPhone, content: 'Thank you.' })
    const visitor = await stage.visitor()
    const { page } = visitor
    await page.goto(`/console/w/${backstage.workspaceId}/messages`)
    await signIn(visitor, ownerEmail)
    await page.getByRole('link', { name: refusedPhone }).click()
    await page.getByRole('button', { name: 'Send again…' }).click()
    const old = page.url()
    const dialog = page.getByRole('dialog', { name: 'Send it again?' })
    await dialog.getByLabel('Recipient').fill('+15550150100')
    await dialog.getByRole('button', { name: 'Send', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: '+15550150100' }).waitFor()
    const again = page.url()
    const leadTo = async (name: string, url: string) => {
      const fact = page.locator('dl > div').filter({ hasText: name })
      await fact.getByRole('link', { name: url.split('/').at(-1) ?? '' }).click()
      await page.waitForURL(url)
    }
    await leadTo('Sent again from', old)
    await leadTo('Sent again as', again)
  })

  story('a template that the platform refused is mended at the value that it names', async stage => {
    const backstage = await Backstage.signUp(stage.deployment)
    await backstage.connectSandbox()
    const key = await backstage.createKey('Shop backend')
    const parameters = [{ type: 'text', text: '1001' }]
    const components = [
      { type: 'body', parameters },
      { type: 'button', sub_type: 'url', index: '0', parameters },
    ]
    const order = { type: 'template', templateName: 'order_confirmation', templateLanguage: 'en_US' }
    const id = await backstage.send(key, { ...order, phone: '+15550150100', templateComponents: components })
    const visitor = await stage.visitor()
    const { page } = visitor
    await page.goto(`/console/w/${backstage.workspaceId}/messages/${id}`)
    await signIn(visitor, ownerEmail)
    await page.getByRole('button', { name: 'Send again…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Send it again?' })
    await dialog
      .getByText(/number of localizable_params \(1\)/)
      .first()
      .waitFor()
    expect(await dialog.getByLabel(/^Value 1/).inputValue()).toBe('1001')
    const wrong = dialog.locator('input[aria-invalid="true"]')
    expect(await wrong.count()).toBe(1)
    expect(await accessibilityFindings(page)).toEqual([])
    await wrong.fill('Grace')
    await dialog.getByRole('figure').getByText('Grace').waitFor()
    await dialog.getByRole('button', { name: 'Send', exact: true }).click()
    await page.getByText('Sent again from').waitFor()
    await page.getByRole('figure').getByText('Grace').waitFor()
  })

  story('all that failed of a filter is sent again, and who cannot be reached is left out', async stage => {
    const { sandbox } = stage.deployment
    const backstage = await Backstage.signUp(stage.deployment)
    await backstage.connectSandbox()
    const key = await backstage.createKey('Shop backend')
    const fault = { answer: 'error', code: 131000, next: 2 }
    await fetch(`${sandbox.url}/sandbox/faults`, { method: 'POST', body: JSON.stringify(fault) })
    for (const number of ['+15550150111', '+15550150112'])
      await backstage.send(key, { type: 'text', phone: number, content: 'Hello' })
    await backstage.send(key, { type: 'text', phone: refusedPhone, content: 'Hello' })
    const visitor = await stage.visitor(phone)
    const { page } = visitor
    await page.goto(`/console/w/${backstage.workspaceId}/messages?status=FAILED`)
    await signIn(visitor, ownerEmail)
    await page.getByRole('button', { name: 'Send again…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Send failed messages again?' })
    await dialog.getByText('One failed because of its recipient').waitFor()
    expect(await accessibilityFindings(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Send these 2 again' }).click()
    await dialog.getByText('2 were sent again.').waitFor()
    await dialog.getByRole('button', { name: 'Close' }).last().click()
    await page.getByRole('button', { name: 'Send again…' }).click()
    await dialog.getByText('2 were sent again already').waitFor()
    expect(await dialog.getByRole('button', { name: /^Send/ }).count()).toBe(0)
    const { messages } = await backstage.call<{ messages: unknown[] }>('/messages')
    expect(messages).toHaveLength(5)
  })

  story('a lost connection is said, nothing is missing when it is back, and rows follow, not pages', async stage => {
    const { deployment } = stage
    const backstage = await Backstage.signUp(deployment)
    await backstage.connectSandbox()
    const key = await backstage.createKey('Shop backend')
    const visitor = await stage.visitor()
    const { page } = visitor
    await page.goto(`/console/w/${backstage.workspaceId}/messages`)
    await signIn(visitor, ownerEmail)
    await page.getByText('Live', { exact: true }).waitFor()
    visitor.expectLostConnection()
    // What was not answered is read again by itself.
    await page.route('**/contacts?*', route => route.abort())
    await page.route('**/contacts', route => route.abort())
    await page.getByRole('link', { name: 'Contacts', exact: true }).click()
    await page.getByRole('button', { name: 'Try again' }).waitFor()
    await page.unrouteAll()
    await page.getByRole('button', { name: 'Try again' }).waitFor({ state: 'hidden' })
    await page.getByRole('link', { name: 'Messages', exact: true }).click()

    await deployment.stopGateway()
    await page.getByRole('button', { name: 'Connection lost' }).waitFor()
    // The code of this page was not loaded yet.
    await page.getByRole('link', { name: 'Members', exact: true }).click()
    await page.getByRole('button', { name: 'Reload' }).waitFor()
    await deployment.serve()
    await backstage.send(key, { type: 'text', phone: '+15550150103', content: 'While you were away.' })
    await page.getByRole('heading', { level: 1, name: 'Members' }).waitFor()
    await page.getByRole('link', { name: 'Messages', exact: true }).click()
    await page.getByText('Live', { exact: true }).waitFor()
    await page.getByRole('link', { name: '+15550150103' }).waitFor()
    await backstage.send(key, { type: 'text', phone: '+15550150104', content: 'And now.' })
    await page.getByRole('row').filter({ hasText: '+15550150104' }).filter({ hasText: 'Read' }).waitFor()

    const read: string[] = []
    page.on('request', request => read.push(new URL(request.url()).pathname.split('/').at(-1) ?? ''))
    await backstage.send(key, { type: 'text', phone: '+15550150105', content: 'And here.' })
    await page.getByRole('row').filter({ hasText: '+15550150105' }).filter({ hasText: 'Read' }).waitFor()
    await page.getByText('3 messages', { exact: true }).waitFor()
    expect(read).toContain('message-rows')
    expect(read).not.toContain('messages')
  })
}
