import { expect } from 'bun:test'
import { createHmac } from 'node:crypto'
import { eventually } from '../../../eventually.ts'
import { Backstage, ownerEmail } from '../backstage.ts'
import { signIn } from '../people.ts'
import { startProgram } from '../program.ts'
import { story } from '../stage.ts'

export function clientStories(): void {
  story('an existing client is connected to a line with what the page shows, and speaks and listens', async stage => {
    const { deployment } = stage
    const { sandbox } = deployment
    await using client = startProgram()
    const backstage = await Backstage.signUp(deployment)
    const { lineId } = await backstage.connectSandbox()
    const { lines } = await backstage.call<{ lines: { id: string; number: string; upstreamPhoneId: string }[] }>(
      '/lines',
    )
    const { number = '', upstreamPhoneId = '' } = lines.find(({ id }) => id === lineId) ?? {}
    const visitor = await stage.visitor()
    const { page } = visitor
    await page.goto(`/console/w/${backstage.workspaceId}/channels`)
    await signIn(visitor, ownerEmail)
    await page.getByRole('button', { name: `Actions for ${number}` }).click()
    await page.getByRole('menuitem', { name: 'Existing clients' }).click()
    await page.getByText(sandbox.accountId, { exact: true }).waitFor()
    await page.getByText(`WHATSAPP_CLOUD_BASE_URL=${deployment.url}/graph`, { exact: true }).waitFor()
    const [url, phoneNumberId] = [`${deployment.url}/graph`, upstreamPhoneId]
    for (const [what, text] of [['Address', url] as const, ['Phone number id', phoneNumberId] as const]) {
      await page.getByRole('button', { name: `Copy ${what}`, exact: true }).click()
      await eventually(async () => {
        expect(await page.evaluate<string>('navigator.clipboard.readText()')).toBe(text)
      })
    }

    const dialog = page.getByRole('dialog')
    /** The token of a new key, which is shown until it was copied and nowhere afterwards. */
    const shownToken = async () => {
      const token = (await dialog.getByText(/^wp_/).textContent()) ?? ''
      deployment.keepSecret(token, 'token of a key')
      for (const secret of await dialog.getByText(/^sk_/).allTextContents()) deployment.keepSecret(secret, 'API secret')
      await dialog.getByRole('button', { name: 'I have copied the secret' }).click()
      await dialog.waitFor({ state: 'hidden' })
      expect(await page.getByText(token).count()).toBe(0)
      return token
    }
    const send = async (token: string) => {
      const message = { messaging_product: 'whatsapp', to: '15550150100', type: 'text', text: { body: 'Hello' } }
      const { status } = await fetch(`${url}/v23.0/${phoneNumberId}/messages`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify(message),
      })
      return status
    }
    await page.getByText('No key with a token may use this line.').waitFor()
    await page.getByRole('button', { name: 'Create a key' }).click()
    await dialog.getByLabel('Label').fill('Inbox')
    await dialog.getByRole('button', { name: 'Create a key' }).click()
    const first = await shownToken()
    expect(await send(first)).toBe(200)
    const { apiKeys } = await backstage.call<{ apiKeys: object[] }>('/api-keys')
    const scopes = ['graph', 'inbound', 'media', 'messages:send', 'templates:read']
    expect(apiKeys).toMatchObject([{ label: 'Inbox', scopes: expect.arrayContaining(scopes), lineIds: [lineId] }])
    await page.getByRole('button', { name: 'Actions for Inbox' }).click()
    await page.getByRole('menuitem', { name: 'Rotate' }).click()
    await dialog.getByLabel('The old key works for').selectOption('No longer')
    await dialog.getByRole('button', { name: 'Rotate' }).click()
    const second = await shownToken()
    expect(await send(first)).toBe(401)

    await page.getByText('No endpoint of this kind gets callbacks of this line.').waitFor()
    await page.getByRole('button', { name: 'Add an endpoint' }).click()
    expect(await dialog.getByLabel(number).isChecked()).toBe(true)
    // What is wrong is seen, in a form that is longer than the screen.
    visitor.expectRefusal(400, /\/webhooks$/)
    await dialog.getByLabel('Address').fill('http://127.0.0.1:1/nobody')
    await dialog.getByRole('button', { name: 'Add an endpoint' }).click()
    await dialog.getByText(/^The receiver was asked for hub.challenge/).waitFor()
    await eventually(async () => {
      expect(await page.evaluate<string>('document.activeElement.value')).toBe('http://127.0.0.1:1/nobody')
    })
    await dialog.getByLabel('Address').fill(client.url)
    await dialog.getByRole('button', { name: 'Make one' }).click()
    const verifyToken = await dialog.getByRole('textbox', { name: 'Verify token' }).inputValue()
    expect(verifyToken).toMatch(/^[0-9a-f]{32}$/)
    await dialog.getByRole('button', { name: 'Add an endpoint' }).click()
    await dialog.getByText('Secret, which your program calls app secret').waitFor()
    const appSecret = (await dialog.getByText(/^whsec_/).textContent()) ?? ''
    deployment.keepSecret(appSecret, 'secret of an endpoint')
    expect(client.asked).toEqual([verifyToken])
    await dialog.getByRole('button', { name: 'I have copied the secret' }).click()
    await page.getByRole('table', { name: 'Webhooks' }).getByText(client.url).waitFor()
    expect(await send(second)).toBe(200)
    const { body, signature } = await eventually(() => {
      const [callback] = client.received
      if (!callback) throw new Error('no callback has come')
      return callback
    })
    expect(JSON.parse(body).entry[0]).toMatchObject({
      id: sandbox.accountId,
      changes: [{ field: 'messages', value: { metadata: { phone_number_id: phoneNumberId } } }],
    })
    expect(signature).toBe(`sha256=${createHmac('sha256', appSecret).update(body).digest('hex')}`)
  })

  story('who may not create keys sees the address; where it is off, the page says what switches it on', async stage => {
    const { deployment } = stage
    const backstage = await Backstage.signUp(deployment)
    await backstage.connectSandbox()
    const visitor = await stage.visitor()
    const { page } = visitor
    await page.goto(`/console/w/${backstage.workspaceId}`)
    await signIn(visitor, await backstage.invite('viewer'))
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Search and commands' }).fill('chatwoot')
    await page.getByRole('option', { name: 'Existing clients' }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByText(`${deployment.url}/graph`, { exact: true }).waitFor()
    await page.getByText('Owners and admins of the workspace see the list, and create keys.').waitFor()
    expect(
      await page
        .getByRole('main')
        .getByRole('button', { name: /create|add an|actions/i })
        .count(),
    ).toBe(0)

    visitor.expectLostConnection()
    expect(await deployment.stopGateway()).toBe(0)
    await deployment.serve({ GRAPH_API: 'off' })
    await page.reload()
    await page.getByText('Existing clients are answered once this gateway is started with GRAPH_API=on.').waitFor()
    expect(await page.getByText(`${deployment.url}/graph`).count()).toBe(0)
  })
}
