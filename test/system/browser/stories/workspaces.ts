import { expect } from 'bun:test'
import { Backstage, ownerEmail } from '../backstage.ts'
import { signIn } from '../people.ts'
import { story } from '../stage.ts'

export function workspaceStories(): void {
  story('an owner makes another workspace, which opens at its first steps, and changes back', async stage => {
    const first = await Backstage.signUp(stage.deployment)
    const visitor = await stage.visitor()
    const { page } = visitor
    await page.goto(`/console/w/${first.workspaceId}/messages`)
    await signIn(visitor, ownerEmail)

    await page.getByRole('combobox', { name: 'Workspace' }).selectOption('+ New workspace…')
    await page.getByRole('dialog').getByLabel('Name').fill('Second Shop')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/console\/w\/ws_\w+\/setup$/)
    expect(page.url()).not.toContain(first.workspaceId)
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    const choice = page.getByRole('combobox', { name: 'Workspace' })
    expect(await choice.locator('option:checked').textContent()).toBe('Second Shop')

    await choice.selectOption('Sandbox Shop')
    await page.waitForURL(`**/console/w/${first.workspaceId}`)
  })

  story('a page that is loaded late leaves the focus in the dialog that was opened meanwhile', async stage => {
    const first = await Backstage.signUp(stage.deployment)
    const visitor = await stage.visitor()
    const { page } = visitor
    await page.goto(`/console/w/${first.workspaceId}`)
    await signIn(visitor, ownerEmail)
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()

    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    await page.route(/\/assets\/MessagesPage/, async route => {
      await released
      await route.continue()
    })
    await page.getByRole('link', { name: 'Messages', exact: true }).click()
    await page.getByRole('combobox', { name: 'Workspace' }).selectOption('+ New workspace…')
    const field = page.getByRole('dialog').getByLabel('Name')
    await field.fill('Second Shop')
    release()
    await page.getByText('Messages', { exact: true }).nth(1).waitFor()
    await page.keyboard.type('s')
    expect(await field.inputValue()).toBe('Second Shops')
  })
}
