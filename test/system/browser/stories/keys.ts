import { expect } from 'bun:test'
import { Backstage, ownerEmail } from '../backstage.ts'
import { signIn } from '../people.ts'
import { story } from '../stage.ts'

export function keyStories(): void {
  story('a key is made for one line and two scopes, and the list says so', async stage => {
    const { deployment } = stage
    const backstage = await Backstage.signUp(deployment)
    const { lineId } = await backstage.connectSandbox()
    const { lines } = await backstage.call<{ lines: { id: string; number: string }[] }>('/lines')
    const number = lines.find(({ id }) => id === lineId)?.number ?? ''
    const visitor = await stage.visitor()
    const { page } = visitor
    await page.goto(`/console/w/${backstage.workspaceId}/api-keys`)
    await signIn(visitor, ownerEmail)
    await page.getByRole('button', { name: 'Create a key' }).first().click()
    const form = page.getByRole('dialog', { name: 'Create a key' })
    await form.getByLabel('Label').fill('Branch')
    for (const whole of ['Everything but webhooks', 'All lines']) await form.getByLabel(whole).uncheck()
    await form.getByRole('button', { name: 'Create a key' }).click()
    await form.getByText('Choose at least one.').nth(1).waitFor()
    for (const chosen of ['messages:send', 'inbound', number]) await form.getByLabel(chosen).check()
    await form.getByRole('button', { name: 'Create a key' }).click()
    const secret = form.locator('code').filter({ hasText: /^sk_/ })
    deployment.keepSecret((await secret.textContent()) ?? '', 'API secret')
    // Of a key that may not list templates, the command to try is one that it may.
    const command = (await form.getByRole('region', { name: 'curl command' }).textContent()) ?? ''
    const tried = Bun.spawn(['sh', '-c', command], { stdout: 'pipe' })
    expect(await tried.stdout.text()).toContain(lineId)
    await form.getByRole('button', { name: 'I have copied the secret' }).click()
    await page.getByText(`Only ${number}`).filter({ visible: true }).waitFor()
    const { apiKeys } = await backstage.call<{ apiKeys: object[] }>('/api-keys')
    expect(apiKeys).toMatchObject([{ label: 'Branch', scopes: ['messages:send', 'inbound'], lineIds: [lineId] }])
  })
}
