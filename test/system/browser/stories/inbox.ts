import { expect } from 'bun:test'
import { join } from 'node:path'
import type { Locator } from 'playwright-core'
import { eventually } from '../../../eventually.ts'
import { accessibilityFindings } from '../axe.ts'
import { Backstage, ownerEmail } from '../backstage.ts'
import { signIn } from '../people.ts'
import { pictureFolder, story } from '../stage.ts'
import { desktop, phone } from '../visitor.ts'
import { says } from './conversations.ts'

const number = '+15550150100'

/** In the page. @returns whether nothing of a line is behind an ellipsis */
const isWhole = (line: unknown) => {
  const { scrollWidth, clientWidth } = line as { scrollWidth: number; clientWidth: number }
  return scrollWidth <= clientWidth
}

export function inboxStories(): void {
  story(
    'on a telephone a conversation is taken, answered by the API, done, and opened by the next word',
    async stage => {
      const { sandbox } = stage.deployment
      const backstage = await Backstage.signUp(stage.deployment)
      await backstage.connectSandbox()
      const key = await backstage.createKey('Shop backend')
      const says = async (text: string) => {
        const body = JSON.stringify({ kind: 'text', from: number, name: 'Ada Lovelace', text })
        const { status } = await fetch(`${sandbox.url}/sandbox/callbacks/inbound`, { method: 'POST', body })
        expect(status).toBe(200)
      }
      await says('Where is my parcel?')
      const visitor = await stage.visitor(phone)
      const { page } = visitor
      await page.goto(`/console/w/${backstage.workspaceId}/conversations`)
      await signIn(visitor, ownerEmail)
      const rows = page.getByRole('list', { name: 'Conversations' }).getByRole('listitem')
      await rows.getByLabel('1 unread').waitFor()
      await page.getByText('Unassigned 1').click()
      await page.waitForURL('**/conversations?show=free')
      await backstage.send(key, { type: 'text', phone: number, content: 'It is on its way' })
      await rows.filter({ hasText: 'Shop backend:' }).getByText('It is on its way').waitFor()
      await rows.getByLabel('1 unread').waitFor({ state: 'detached' })

      // The list knows who it is before the thread is there.
      const mayCome = Promise.withResolvers<void>()
      const thread = /\/conversation$/
      await page.route(thread, async route => {
        await mayCome.promise
        await route.continue()
      })
      await rows.getByRole('link').click()
      const name = page.getByRole('heading', { name: 'Ada Lovelace', level: 1 })
      await name.waitFor()
      const log = page.getByRole('log')
      expect(await log.count()).toBe(0)
      mayCome.resolve()
      await log.getByText('Where is my parcel?').waitFor()
      // The thread has the screen: the field below it is at the lower edge, and nothing of it is beside the edges.
      await eventually(async () => {
        expect((await log.boundingBox())?.width ?? 0).toBeGreaterThan(360)
        const field = await page.getByRole('textbox').boundingBox()
        expect((field?.y ?? 0) + (field?.height ?? 0)).toBeWithin(790, 845)
        expect(await page.evaluate('document.documentElement.scrollHeight <= innerHeight')).toBeTrue()
      })
      const take = page.getByRole('button', { name: 'Assign to me', exact: true })
      await take.waitFor()
      // Whoever writes sees to whom, beside all that can be done.
      expect(await name.evaluate(isWhole)).toBeTrue()
      await take.click()
      await page.locator('.thread-head').getByLabel('Assigned to you').waitFor()
      expect(await accessibilityFindings(page)).toEqual([])
      await page.getByRole('button', { name: 'Mark as done' }).click()
      await page.getByRole('button', { name: 'Open again' }).waitFor()
      await page.getByRole('link', { name: '← Conversations' }).click()
      await page.getByText('No conversation matches').waitFor()
      await page.getByText('Done 1').click()
      await rows.getByRole('link').waitFor()

      await says('Thank you')
      await rows.getByRole('link').waitFor({ state: 'detached' })
      await page.getByText('Open 1').click()
      await rows.getByText('Thank you').waitFor()
      // Another one takes it, on another screen.
      const { conversations } = await backstage.call<{ conversations: { contact: { id: string } }[] }>('/conversations')
      const path = `/contacts/${conversations[0]?.contact.id}/conversation/taker`
      const { members } = await backstage.call<{ members: { id: string }[] }>('/members')
      await backstage.call(path, { takenBy: members[0]?.id, insteadOf: null })
      await eventually(async () => expect(await rows.getByLabel('Assigned to you').count()).toBe(1))
      // The row goes to the edge of the screen, and its time ends where what stands above the list ends.
      const rightOf = async (place: Locator) => {
        const { x, width } = (await place.boundingBox()) ?? { x: 0, width: 0 }
        return x + width
      }
      const row = rows.getByRole('link')
      expect(await rightOf(row)).toBe(phone.width)
      const above = await rightOf(page.getByRole('button', { name: 'Unread', exact: true }))
      expect(Math.abs((await rightOf(row.locator('time'))) - above)).toBeLessThan(1)
    },
  )

  story(
    'by keys alone the next unread conversation is taken and done; the one behind it opens, and undo leads back',
    async stage => {
      const backstage = await Backstage.signUp(stage.deployment)
      await backstage.connectSandbox()
      await says(stage.deployment, { text: 'Where is my parcel?' })
      await says(stage.deployment, { from: '+15550150199', name: 'Grace Hopper', text: 'Are you open?' })
      const visitor = await stage.visitor()
      const { page } = visitor
      await page.goto(`/console/w/${backstage.workspaceId}/conversations`)
      await signIn(visitor, ownerEmail)
      const log = page.getByRole('log')
      const taken = page.locator('.thread-head').getByLabel('Assigned to you')
      await page.getByRole('link', { name: /Grace Hopper/ }).waitFor()
      await page.keyboard.press('n')
      await log.getByText('Are you open?').waitFor()
      await page.keyboard.press('t')
      await taken.waitFor()
      await page.keyboard.press('e')
      await log.getByText('Where is my parcel?').waitFor()
      await page.getByText('Done: Grace Hopper').waitFor()
      expect(await accessibilityFindings(page)).toEqual([])
      await page.getByRole('button', { name: 'Undo' }).click()
      await log.getByText('Are you open?').waitFor()
      await taken.waitFor()
      // More than a page: the first one comes back as one scrolls.
      const last = page.getByRole('link', { name: /Ada Lovelace/ })
      for (let n = 10; n < 41; n += 1) await says(stage.deployment, { from: `+155501510${n}`, name: `Person ${n}` })
      await last.waitFor({ state: 'detached' })
      await page.getByRole('link', { name: /Person 40/ }).hover()
      await page.mouse.wheel(0, 5_000)
      await last.waitFor()
    },
  )

  story('each message of the business says who wrote it, and what a program sends hides no question', async stage => {
    const { sandbox } = stage.deployment
    const backstage = await Backstage.signUp(stage.deployment)
    await backstage.connectSandbox()
    const key = await backstage.createKey('Shop backend')
    const body = JSON.stringify({ kind: 'text', from: number, name: 'Grace Hopper', text: 'Where is my parcel?' })
    await fetch(`${sandbox.url}/sandbox/callbacks/inbound`, { method: 'POST', body })
    await backstage.send(key, { type: 'template', phone: number, templateName: 'hello_world', templateVariables: {} })
    const [member, owner] = [await stage.visitor(), await stage.visitor(phone)]
    const path = `/console/w/${backstage.workspaceId}/conversations`
    for (const [visitor, email] of [
      [member, await backstage.invite('member')],
      [owner, ownerEmail],
    ] as const) {
      await visitor.page.goto(path)
      await signIn(visitor, email)
    }
    const row = owner.page.getByRole('list', { name: 'Conversations' }).getByRole('listitem')
    await row.getByText('Where is my parcel?').waitFor()
    await row.getByLabel('1 unread').waitFor()

    const log = member.page.getByRole('log')
    await member.page.getByRole('link', { name: /Grace Hopper/ }).click()
    await log.getByTitle('Automatic · Shop backend').waitFor()
    await backstage.send(key, { type: 'text', phone: number, content: 'One moment' })
    await log.getByTitle('Shop backend (key)').waitFor()
    await member.page.getByRole('textbox', { name: 'Write to Grace Hopper' }).fill('It leaves today')
    await member.page.keyboard.press('Control+Enter')
    await log.getByRole('link', { name: 'Read: open the message' }).nth(2).waitFor()
    expect(await log.getByText('You', { exact: true }).count()).toBe(1)

    await row.getByText('Alan: It leaves today').waitFor()
    await row.getByRole('link').click()
    const colleague = owner.page.getByRole('log').getByText('Alan Turing', { exact: true })
    await colleague.waitFor()
    expect(await accessibilityFindings(owner.page)).toEqual([])
    await owner.page.goto(path.replace('conversations', 'messages'))
    await member.page.goto(path.replace('conversations', 'messages'))
    await owner.page.getByText('It leaves today').first().click()
    await owner.page.getByText('Alan Turing', { exact: true }).waitFor()
    await member.page.getByRole('cell', { name: 'You', exact: true }).waitFor()
  })

  story('a person is blocked from the menu of the conversation, and unblocked where one would write', async stage => {
    const backstage = await Backstage.signUp(stage.deployment)
    await backstage.connectSandbox()
    const writes = async () => {
      const body = JSON.stringify({ kind: 'text', from: number, name: 'Ada Lovelace', text: 'You again?' })
      return (await fetch(`${stage.deployment.sandbox.url}/sandbox/callbacks/inbound`, { method: 'POST', body })).status
    }
    expect(await writes()).toBe(200)
    const visitor = await stage.visitor()
    const { page } = visitor
    await page.goto(`/console/w/${backstage.workspaceId}/conversations`)
    await signIn(visitor, await backstage.invite('member'))
    await page.getByRole('link', { name: 'Ada Lovelace' }).click()
    const field = page.getByRole('textbox', { name: 'Write to Ada Lovelace' })
    await field.fill('Half written')
    await page.getByRole('button', { name: 'Actions for Ada Lovelace' }).click()
    await page.getByRole('menuitem', { name: 'Block…' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('What the person writes does not come any more').waitFor()
    await page.screenshot({ path: join(pictureFolder, 'block question.png') })
    await dialog.getByRole('button', { name: 'Block', exact: true }).click()
    await page.getByText('This person is blocked on this line').waitFor()
    expect(await field.count()).toBe(0)
    // Beside the name, and in the list.
    await page.getByText('Blocked', { exact: true }).waitFor()
    await page.getByRole('listitem').getByLabel('Blocked').waitFor()
    expect(await page.getByText('left to reply').count()).toBe(0)
    expect(await writes()).toBe(400)
    expect(await accessibilityFindings(page)).toEqual([])
    await page.screenshot({ path: join(pictureFolder, 'blocked.png') })

    // Beside the thread, and on the page of the contact.
    const panel = page.getByRole('complementary', { name: 'Contact' })
    await panel.getByText('Blocked on', { exact: true }).waitFor()
    // Where there is no room for it, it is above the thread, until Escape.
    await page.setViewportSize({ width: 1024, height: 900 })
    await panel.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Actions for Ada Lovelace' }).click()
    await page.getByRole('menuitem', { name: 'Contact' }).click()
    await panel.getByText(number).waitFor()
    expect(await accessibilityFindings(page)).toEqual([])
    await page.keyboard.press('Escape')
    await panel.waitFor({ state: 'detached' })
    await page.setViewportSize(desktop)
    await panel.getByRole('link', { name: 'Open contact' }).click()
    await page.getByRole('link', { name: '← Contacts' }).waitFor()
    await page.getByText('Blocked on', { exact: true }).waitFor()
    await page.getByText('This person is blocked on this line').waitFor()
    expect(await accessibilityFindings(page)).toEqual([])
    await page.screenshot({ path: join(pictureFolder, 'blocked contact.png'), fullPage: true })
    await page.getByRole('link', { name: 'Contacts' }).last().click()
    await page.getByRole('row', { name: /Ada Lovelace.*Blocked.*–/ }).waitFor()
    await page.goBack()
    await page.getByRole('region', { name: 'Write to Ada Lovelace' }).getByRole('button', { name: 'Unblock…' }).click()
    await dialog.getByRole('button', { name: 'Unblock', exact: true }).click()
    await page.locator('textarea:focus').waitFor()
    expect(await field.inputValue()).toBe('Half written')
    await page.getByText('Blocked on', { exact: true }).waitFor({ state: 'detached' })
    expect(await writes()).toBe(200)
    await field.press('Control+Enter')
    await page.getByRole('log').getByRole('link', { name: 'Read: open the message' }).waitFor()
  })
}
