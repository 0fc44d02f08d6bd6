import { expect } from 'bun:test'
import { accessibilityFindings } from '../axe.ts'
import { Backstage, ownerEmail } from '../backstage.ts'
import { signIn } from '../people.ts'
import { story } from '../stage.ts'

export function paletteStories(): void {
  story('the palette by the keyboard alone: finds a message by its id, runs a command, knows the role', async stage => {
    const backstage = await Backstage.signUp(stage.deployment)
    await backstage.connectSandbox()
    const key = await backstage.createKey('Shop backend')
    const messageId = await backstage.send(key, { type: 'text', phone: '+15550150101', content: 'Thank you.' })
    const owner = await stage.visitor()
    const { page } = owner
    await page.goto(`/console/w/${backstage.workspaceId}`)
    await signIn(owner, ownerEmail)
    const palette = page.getByRole('dialog', { name: 'Search and commands' })
    const field = palette.getByRole('combobox')
    const chosen = palette.getByRole('option', { selected: true })

    await page.keyboard.press('Control+k')
    await field.waitFor()
    await page.keyboard.type(messageId)
    await palette.getByRole('option', { name: 'Thank you.' }).waitFor()
    expect(await accessibilityFindings(page)).toEqual([])
    expect(await chosen.getAttribute('id')).toBe(await field.getAttribute('aria-activedescendant'))
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/messages/${messageId}`)
    await field.waitFor({ state: 'detached' })
    await page.getByRole('heading', { level: 1 }).and(page.locator(':focus')).waitFor()

    await page.keyboard.press('Control+k')
    await field.waitFor()
    await page.keyboard.type('shop back')
    await palette.getByRole('group', { name: 'API keys' }).getByRole('option', { name: 'Shop backend' }).waitFor()
    for (const [written, label] of [
      ['send', 'New message'],
      ['opt out', 'Contacts'],
      ['cost', 'Usage'],
      ['revoke', 'API keys'],
      ['132018', 'What the error 132018 means'],
      ['132018', 'Messages that failed with 132018'],
    ] as const) {
      await field.fill(written)
      await palette.getByRole('option', { name: label, exact: true }).waitFor()
    }
    await field.fill('key')
    await palette.getByRole('option', { name: 'API keys' }).waitFor()
    await page.keyboard.press('ArrowDown')
    expect(await chosen.textContent()).toBe('Create a key')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'Create a key' }).waitFor()
    await page.keyboard.press('Escape')
    await page.waitForURL('**/api-keys')

    const viewer = await stage.visitor()
    await viewer.page.goto(`/console/w/${backstage.workspaceId}`)
    await signIn(viewer, await backstage.invite('viewer'))
    // What is typed before the list is there is not lost.
    const typed = Promise.withResolvers<void>()
    await viewer.page.route(/\/assets\/PaletteList/, async route => {
      await typed.promise
      await route.continue()
    })
    await viewer.page.keyboard.press('Control+k')
    await viewer.page.getByRole('combobox').and(viewer.page.locator(':focus')).waitFor()
    await viewer.page.keyboard.type('key')
    typed.resolve()
    const options = viewer.page.getByRole('dialog').getByRole('option')
    await viewer.page.getByRole('status').filter({ hasText: '4 results' }).waitFor()
    expect(await options.allTextContents()).toEqual([
      'Search all messages for “key”',
      'Search all contacts for “key”',
      'Search all conversations for “key”',
      'Search the guides for “key”',
    ])
  })
}
