import { expect } from 'bun:test'
import { SANDBOX } from '../../../../src/sandbox/state/defaults.ts'
import { eventually } from '../../../eventually.ts'
import { Backstage, ownerEmail } from '../backstage.ts'
import { signIn } from '../people.ts'
import { story } from '../stage.ts'
import { desktop } from '../visitor.ts'
import { says } from './conversations.ts'

const [first, second] = SANDBOX.lines

export function lineStories(): void {
  story('a line is named, and who writes sees which number talks, and chooses another', async stage => {
    const { deployment } = stage
    const backstage = await Backstage.signUp(deployment)
    const { channelId, lineId } = await backstage.connectSandbox()
    await backstage.call('/lines', { channelId, ...second })
    const unread = async () =>
      (await backstage.call<{ conversations: { unread: number }[] }>('/conversations')).conversations[0]?.unread
    for (const [at, { upstreamPhoneId: line }] of [first, second].entries()) {
      await says(deployment, { text: 'Hello', line })
      await eventually(async () => expect(await unread()).toBe(at + 1))
    }
    const visitor = await stage.visitor()
    const { page } = visitor
    await page.goto(`/console/w/${backstage.workspaceId}/channels`)
    await signIn(visitor, ownerEmail)
    // In a low window the menu has less room than it needs, above and below: it scrolls, and ends with the window.
    const low = { width: desktop.width, height: 480 }
    await page.setViewportSize(low)
    await page.getByRole('button', { name: `Actions for ${second.number}` }).click()
    const menu = page.getByRole('menu')
    await eventually(async () => {
      const { y = 0, height = 0 } = (await menu.boundingBox()) ?? {}
      expect([y >= 0, y + height <= low.height, height > 0]).toEqual([true, true, true])
    })
    await menu.getByRole('menuitem', { name: 'Remove' }).scrollIntoViewIfNeeded()
    await page.setViewportSize(desktop)
    await page.getByRole('menuitem', { name: 'Change the name' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Berlin')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText(`${second.number} · Berlin`).waitFor()

    await page.goto(`/console/w/${backstage.workspaceId}/conversations`)
    await page.getByRole('link', { name: 'Ada Lovelace' }).click()
    const log = page.getByRole('log')
    await log.getByText(`Line ${first.number}`).waitFor()
    await log.getByText(`Line ${second.number} · Berlin`).waitFor()
    const from = page.getByRole('combobox', { name: 'From' })
    const chosen = () => from.locator('option:checked').textContent()
    // Which one comes first depends on the second in which the person wrote to it.
    await from.selectOption(`${second.number} · Berlin`)
    await from.selectOption(first.number)
    await page.getByRole('textbox', { name: 'Write to Ada Lovelace' }).fill('From the first')
    await page.keyboard.press('Control+Enter')
    await log.getByText('From the first').waitFor()
    await eventually(async () => {
      const { messages } = await backstage.call<{ messages: { lineId: string }[] }>('/messages')
      expect(messages.map(message => message.lineId)).toEqual([lineId])
    })
    expect(await chosen()).toBe(first.number)

    const rows = page.getByRole('list', { name: 'Conversations' }).getByRole('listitem')
    await page.getByRole('combobox', { name: 'Line' }).selectOption(first.number)
    await rows.waitFor({ state: 'detached' })
    await page.getByRole('combobox', { name: 'Line' }).selectOption(`${second.number} · Berlin`)
    await rows.waitFor()

    // What is half written leaves from the line on which it was begun, whatever the person writes to meanwhile.
    await page.reload()
    await page.getByRole('textbox', { name: 'Write to Ada Lovelace' }).fill('Half written')
    const begun = await chosen()
    const other = begun === first.number ? second : first
    await says(deployment, { text: 'And here?', line: other.upstreamPhoneId })
    await log.getByText('And here?').waitFor()
    expect(await chosen()).toBe(begun)
    await page.reload()
    await log.getByText('And here?').waitFor()
    expect(await chosen()).toBe(begun)
    // A reply leaves from the line of what it answers.
    await log.getByRole('button', { name: 'Reply to “And here?”' }).click()
    await eventually(async () => expect(await chosen()).toContain(other.number))
  })
}
