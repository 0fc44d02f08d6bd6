import { expect } from 'bun:test'
import { Backstage, ownerEmail } from '../backstage.ts'
import { signIn } from '../people.ts'
import { story } from '../stage.ts'

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

    await page.getByRole('combobox', { name: 'Status' }).selectOption('FAILED')
    await page.waitForURL('**/messages?status=FAILED')
    await rows.nth(1).waitFor({ state: 'detached' })
    await page.reload()
    await rows.first().waitFor()
    expect(await rows.allTextContents()).toEqual([expect.stringContaining(refusedPhone)])

    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export CSV' }).click(),
    ])
    const [head, ...lines] = (await Bun.file(await download.path()).text()).trim().split('\n')
    expect(head).toContain('status')
    expect(lines).toEqual([expect.stringContaining(refusedPhone)])
  })

  story('the keyboard alone: search, walk the list, open a message, leave the search', async stage => {
    const backstage = await Backstage.signUp(stage.deployment)
    await backstage.connectSandbox()
    const key = await backstage.createKey('Shop backend')
    const phones = ['+15550150101', '+15550150102'] as const
    for (const phone of phones) await backstage.send(key, { type: 'text', phone, content: 'Thank you.' })
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

  story('a lost connection is said, and nothing is missing when it is back', async stage => {
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

    await deployment.stopGateway()
    await page.getByRole('button', { name: 'Connection lost' }).waitFor()
    await deployment.serve()
    await backstage.send(key, { type: 'text', phone: '+15550150103', content: 'While you were away.' })
    await page.getByText('Live', { exact: true }).waitFor()
    await page.getByRole('link', { name: '+15550150103' }).waitFor()
    await backstage.send(key, { type: 'text', phone: '+15550150104', content: 'And now.' })
    await page.getByRole('row').filter({ hasText: '+15550150104' }).filter({ hasText: 'Read' }).waitFor()
  })
}
