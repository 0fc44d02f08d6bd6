import { expect } from 'bun:test'
import { webhookHeaders } from '../../../../src/base/webhookSignature.ts'
import { startReceiver, took } from '../../../webhooks/receiver.ts'
import { Backstage, ownerEmail } from '../backstage.ts'
import { signIn } from '../people.ts'
import { startProgram } from '../program.ts'
import { story } from '../stage.ts'
import type { Visitor } from '../visitor.ts'

export function webhookStories(): void {
  story('an endpoint is added, tested, rotated, switched off and removed; each secret is shown once', async stage => {
    const { deployment } = stage
    await using receiver = startReceiver()
    const backstage = await Backstage.signUp(deployment)
    const visitor = await stage.visitor()
    const { page } = visitor
    await page.goto(`/console/w/${backstage.workspaceId}/webhooks`)
    await signIn(visitor, ownerEmail)
    await page.getByRole('button', { name: 'Add an endpoint' }).first().click()
    const form = page.getByRole('dialog', { name: 'Add an endpoint' })
    await form.getByLabel('Address').fill('http://10.0.0.5/hook')
    visitor.expectRefusal(400, /\/webhooks$/)
    await page.keyboard.press('Enter')
    await form
      .getByText(/10\.0\.0\.5 is a private address.*WEBHOOK_ALLOWED_NETWORKS/)
      .first()
      .waitFor()
    await form
      .getByText(/waypost listen --forward-to/)
      .first()
      .waitFor()
    await form.getByLabel('Address').fill(receiver.url)
    await form.getByLabel('Description').fill('The shop')
    await form.getByText('More: events, lines, headers').click()
    await form.getByRole('checkbox', { name: 'All usual events' }).uncheck()
    await form.getByRole('checkbox', { name: 'message.read' }).check()
    const headers = form.getByLabel('Own headers')
    await headers.fill('x-tenant shop')
    // What is refused is never behind what is folded.
    await form.getByText('More: events, lines, headers').click()
    await headers.waitFor({ state: 'hidden' })
    await form.getByRole('button', { name: 'Add an endpoint' }).click()
    await form.getByText('Write one header a line').last().waitFor()
    await headers.fill('x-tenant: shop')
    await form.getByRole('button', { name: 'Add an endpoint' }).click()
    const first = await shownSecret(visitor)

    await page.getByRole('heading', { level: 1, name: 'The shop' }).waitFor()
    await page.getByText('Nothing yet').waitFor()
    await page.getByRole('button', { name: 'Send a test event' }).click()
    const test = page.getByRole('dialog', { name: 'Send a test event' })
    await test.getByLabel('Type').selectOption('message.read')
    await test.getByRole('button', { name: 'Send' }).click()
    await test.getByText(/Your server took it: 200/).waitFor()
    const [taken] = receiver.received
    expect([taken?.id.slice(0, 8), taken?.event.type]).toEqual(['evt_test', 'message.read'])
    const seconds = Number(taken?.headers.get('webhook-timestamp'))
    expect(Object.fromEntries(taken?.headers ?? [])).toMatchObject({
      ...webhookHeaders([first], { id: taken?.id ?? '', seconds, body: taken?.body ?? '' }),
      'x-tenant': 'shop',
    })
    receiver.answer = () => refused(500)
    await test.getByRole('button', { name: 'Send' }).click()
    await test.getByText(/Your server answered 500/).waitFor()
    await test.getByText('This shop answers 500.').waitFor()
    await test.getByText('Close', { exact: true }).click()
    await page.getByRole('table', { name: 'Test events' }).getByText('500', { exact: true }).waitFor()

    const choose = async (action: string) => {
      await page.getByRole('button', { name: 'Actions for The shop' }).click()
      await page.getByRole('menuitem', { name: action }).click()
    }
    await choose('Rotate the secret')
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate the secret' }).click()
    await page.getByText('The old secret signs too until').waitFor()
    expect(await shownSecret(visitor)).not.toBe(first)
    await choose('Switch off')
    await page.getByRole('dialog').getByRole('button', { name: 'Switch off' }).click()
    await page.getByText('This endpoint is switched off.').waitFor()
    await choose('Switch on')
    await page.getByRole('dialog').getByRole('button', { name: 'Switch on' }).click()
    await page.getByText('This endpoint is switched off.').waitFor({ state: 'hidden' })
    await choose('Remove')
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await page.getByText('There is no endpoint').waitFor()
  })

  story('a delivery that fails shows its attempts, and is delivered again by hand', async stage => {
    await using receiver = startReceiver(() => refused(503))
    const backstage = await Backstage.signUp(stage.deployment)
    await backstage.connectSandbox()
    const key = await backstage.createKey('Shop backend')
    const events = ['message.sent']
    const { id } = await backstage.call<{ id: string }>('/webhooks', { url: receiver.url, events })
    const visitor = await stage.visitor()
    const { page } = visitor
    await page.goto(`/console/w/${backstage.workspaceId}/webhooks/${id}`)
    await signIn(visitor, ownerEmail)
    await page.getByText('Nothing was delivered yet.', { exact: true }).waitFor()
    // Without a reload: the page looks again by itself.
    const messageId = await backstage.send(key, { type: 'text', phone: '+15550150100', content: 'Thank you.' })
    await page.getByText('Failing', { exact: true }).waitFor()
    await page.getByRole('link', { name: 'message.sent' }).click()
    await page.getByRole('heading', { level: 1, name: 'message.sent' }).waitFor()
    const attempts = page.getByRole('table', { name: 'Attempts' })
    await attempts.getByText('503', { exact: true }).first().waitFor()
    await attempts.getByText('This shop answers 503.').first().waitFor()
    await page.getByRole('region', { name: 'Body', exact: true }).getByText(messageId).first().waitFor()
    receiver.answer = took
    await page.getByRole('button', { name: 'Deliver again' }).click()
    await attempts.getByText('200', { exact: true }).waitFor()
    await page.getByText('Delivered', { exact: true }).waitFor()
    const ids = new Set(receiver.received.map(({ id: eventId }) => eventId))
    expect(ids.size).toBe(1)

    await page.getByRole('link', { name: `← ${receiver.url}` }).click()
    // The sign and the rows were read within one moment: it does not say that it fails while they say it was delivered.
    await page.getByRole('cell', { name: 'Delivered', exact: true }).waitFor()
    await page.getByText('Works', { exact: true }).waitFor({ timeout: 2_000 })
    const before = receiver.received.length
    await page.getByRole('button', { name: 'Replay' }).click()
    const replay = page.getByRole('dialog', { name: 'Deliver events again' })
    await replay.getByLabel('What').selectOption('All events')
    await replay.getByRole('button', { name: 'Replay' }).click()
    await replay.getByText('1 event is delivered again.').waitFor()
    await replay.getByText('Close', { exact: true }).click()
    await page.getByRole('cell', { name: String(before + 1), exact: true }).waitFor()
  })

  story(
    'an endpoint of the platform’s format is asked with the verify token, and takes its types alone',
    async stage => {
      await using program = startProgram()
      const backstage = await Backstage.signUp(stage.deployment)
      const visitor = await stage.visitor()
      const { page } = visitor
      await page.goto(`/console/w/${backstage.workspaceId}/webhooks`)
      await signIn(visitor, ownerEmail)
      await page.getByRole('button', { name: 'Add an endpoint' }).first().click()
      const form = page.getByRole('dialog', { name: 'Add an endpoint' })
      await form.getByLabel('Address').fill(program.url)
      await form.getByLabel('Format').selectOption('platform')
      await form.getByText('More: events, lines, headers').click()
      await form.getByRole('checkbox', { name: 'All usual events' }).waitFor({ state: 'hidden' })
      await form.getByRole('checkbox', { name: 'All about messages' }).uncheck()
      expect(await form.getByRole('checkbox', { name: 'message.unknown' }).count()).toBe(0)
      for (const type of ['message.received', 'template.reported'])
        await form.getByRole('checkbox', { name: type }).check()
      await form.getByLabel('Verify token').fill('of the inbox')
      await form.getByRole('button', { name: 'Add an endpoint' }).click()
      await shownSecret(visitor)
      expect(program.asked).toEqual(['of the inbox'])
      await page.getByRole('button', { name: 'Send a test event' }).click()
      const test = page.getByRole('dialog', { name: 'Send a test event' })
      expect(await test.getByLabel('Type').locator('option').allTextContents()).toEqual([
        ...['message.received', 'template.reported'],
      ])
      await test.getByText('Close', { exact: true }).click()
      await page.getByRole('button', { name: 'Actions for' }).click()
      await page.getByRole('menuitem', { name: 'Rotate the secret' }).click()
      const rotation = page.getByRole('dialog', { name: 'Rotate the secret' })
      await rotation.getByText(/It alone signs at once/).waitFor()
      expect(await rotation.getByRole('combobox').count()).toBe(0)
      await rotation.getByRole('button', { name: 'Rotate the secret' }).click()
      await page.getByText('The old secret signs no longer.').waitFor()
      await shownSecret(visitor)
    },
  )
}

const refused = (status: number) => new Response(`This shop answers ${status}.`, { status })

/** Reads the secret that the dialog shows, and closes it. */
async function shownSecret({ page }: Visitor): Promise<string> {
  const dialog = page.getByRole('dialog')
  const secret = (await dialog.getByText(/^whsec_/).textContent()) ?? ''
  await dialog.getByRole('button', { name: 'I have copied the secret' }).click()
  await dialog.waitFor({ state: 'hidden' })
  expect(await page.getByText(secret).count()).toBe(0)
  return secret
}
