import { expect } from 'bun:test'
import { eventually } from '../../../eventually.ts'
import { Backstage, ownerEmail } from '../backstage.ts'
import { signIn } from '../people.ts'
import { story } from '../stage.ts'
import { desktop, phone } from '../visitor.ts'

export function attentionStories(): void {
  story('why nothing is sent, who can cure it, and that it is cured', async stage => {
    const { deployment } = stage
    const backstage = await Backstage.signUp(deployment)
    await backstage.connectSandbox()
    const key = await backstage.createKey('Shop backend')
    const send = () => backstage.send(key, { type: 'text', phone: '+15550150100', content: 'Thank you.' })
    const setToken = async (state: string) => {
      await fetch(`${deployment.sandbox.url}/sandbox/token`, { method: 'PUT', body: JSON.stringify({ state }) })
    }
    await setToken('expired')
    await send()
    const base = `/console/w/${backstage.workspaceId}`

    // Who may not cure it is told who can.
    const viewer = await stage.visitor()
    await viewer.page.goto(base)
    await signIn(viewer, await backstage.invite('viewer'))
    await viewer.page.getByText('An admin can replace the token.').waitFor()

    // The doctor names a command; the page leads to where a person does it.
    const owner = await stage.visitor()
    const { page } = owner
    await page.goto(`${base}/gateway`)
    await signIn(owner, ownerEmail)
    await page.getByText(/^Account \d+: refused since .* Give a new one: Replace the access token$/).waitFor()
    await page.getByRole('link', { name: 'Replace the access token' }).waitFor()
    await page.getByRole('link', { name: 'Overview' }).click()
    const attention = page.getByRole('region', { name: 'Needs your attention' })
    await attention.getByText(/refuses the access token of account .* its line sends nothing/).waitFor()
    await page.getByText('1 of the last 1 failed:').waitFor()
    await page.setViewportSize(phone)
    await attention.getByRole('link', { name: 'Replace the token' }).click()
    const replace = page.getByRole('button', { name: 'Replace the access token' })
    await replace.waitFor()
    // On a telephone the page scrolls to its section.
    await eventually(async () => expect(await page.evaluate<number>('scrollY')).toBeGreaterThan(0))
    await page.setViewportSize(desktop)

    await setToken('valid')
    await replace.click()
    await page.getByRole('dialog').getByLabel('Access token').fill(deployment.sandbox.accessToken)
    await page.getByRole('dialog').getByRole('button', { name: 'Replace' }).click()
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    await send()
    await page.getByRole('link', { name: 'Overview' }).click()
    await page.getByText('Works', { exact: true }).waitFor()
    await attention.getByText(/refuses the access token/).waitFor({ state: 'detached' })

    // A figure opens the messages that it counts, and so does a bar. A bar that counts a message as delivered would open
    // an empty list once it is read.
    await page.getByRole('link', { name: 'Read: 100%' }).waitFor()
    await page.getByRole('link', { name: /^Delivered: / }).click()
    await page.waitForURL('**/messages?status=DELIVERED%2CREAD&**')
    const rows = page.getByRole('table', { name: 'Messages' }).locator('tbody').getByRole('row')
    await rows.first().waitFor()
    expect(await rows.count()).toBe(1)
    await page.goBack()
    const day = page.locator('.day-bars-day').last()
    await day.hover()
    expect(await page.locator('.day-bars-card').textContent()).toMatch(/^\d+ \w+Read1Delivered0Sent0Failed1Unknown0$/)
    await day.locator('a').first().click()
    await page.waitForURL(/\/messages\?status=[A-Z]+&since=.+&until=.+/)
    await rows.first().waitFor()
  })
}
