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

    await page.getByRole('button', { name: 'New workspace' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill('Second Shop')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/console\/w\/ws_\w+\/setup$/)
    expect(page.url()).not.toContain(first.workspaceId)
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    const choice = page.getByLabel('Workspace', { exact: true })
    expect(await choice.locator('option:checked').textContent()).toBe('Second Shop')

    await choice.selectOption('Sandbox Shop')
    await page.waitForURL(`**/console/w/${first.workspaceId}`)
  })
}
