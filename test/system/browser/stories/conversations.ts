import { expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { eventually } from '../../../eventually.ts'
import { accessibilityFindings } from '../axe.ts'
import { Backstage, ownerEmail } from '../backstage.ts'
import type { Deployment } from '../deployment.ts'
import { signIn } from '../people.ts'
import { story } from '../stage.ts'

const number = '+15550150100'
export const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

/** A person writes by the stand-in. */
export async function says({ sandbox }: Deployment, content: object): Promise<void> {
  const body = JSON.stringify({ kind: 'text', from: number, name: 'Ada Lovelace', ...content })
  const { status } = await fetch(`${sandbox.url}/sandbox/callbacks/inbound`, { method: 'POST', body })
  expect(status).toBe(200)
}

/** What was looked at so long would be read by now: `readMs` of the page, and then some. */
const passedMs = 4_500

const unreadOf = async (backstage: Backstage) =>
  (await backstage.call<{ unread: number }>('/conversation-count')).unread

/** In the window: the list beside the conversation has its last words too. */
const heightOf = async (page: Page, text: string) =>
  Math.round((await page.getByRole('log').getByText(text, { exact: true }).boundingBox())?.y ?? 0)

export function conversationStories(): void {
  story('a customer’s last message is found by half a name, with one click', async stage => {
    const backstage = await Backstage.signUp(stage.deployment)
    await backstage.connectSandbox()
    await says(stage.deployment, { text: 'Where is my parcel?' })
    await says(stage.deployment, { from: '+15550150199', name: 'Grace Hopper', text: 'Are you open?' })
    const visitor = await stage.visitor()
    const { page } = visitor
    await page.goto(`/console/w/${backstage.workspaceId}`)
    await signIn(visitor, ownerEmail)
    const navigation = page.getByRole('navigation', { name: 'Pages of the workspace' })
    await navigation.getByLabel('2 unread conversations').waitFor()
    await navigation.getByRole('link', { name: 'Conversations' }).click()
    const rows = page.getByRole('list', { name: 'Conversations' }).getByRole('listitem')
    await rows.nth(1).waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('lovel')
    await rows.nth(1).waitFor({ state: 'detached' })
    expect(await rows.first().textContent()).toContain('Where is my parcel?')
    // It was found, and is not read by that.
    expect(await unreadOf(backstage)).toBe(2)
    await page.keyboard.press('Escape')
    expect(await page.getByRole('searchbox').inputValue()).toBe('lovel')
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    await page.getByRole('log').getByText('Where is my parcel?').waitFor()
    await page.waitForURL('**/conversations/contact_*?q=lovel')
    await eventually(async () => expect(await unreadOf(backstage)).toBe(1))
    await navigation.getByLabel('1 unread conversations').waitFor()

    // What the key presses is there once the page knows that all is read.
    await page.locator('[data-key="u"]').waitFor({ state: 'attached' })
    await page.keyboard.press('u')
    await page.waitForURL('**/conversations?q=lovel')
    await page.locator('[data-row-link]:focus', { hasText: 'Lovelace' }).waitFor()
    await navigation.getByLabel('2 unread conversations').waitFor()
    expect(await unreadOf(backstage)).toBe(2)
    // Another window has the focus: what comes is drawn, and nobody reads it.
    await page.evaluate("document.hasFocus = () => false; dispatchEvent(new Event('blur'))")
    await rows.first().getByRole('link').click()
    await page.getByRole('log').getByText('Where is my parcel?').waitFor()
    await page.evaluate(ms => new Promise(resolve => setTimeout(resolve, ms)), passedMs)
    expect(await unreadOf(backstage)).toBe(2)

    // Whoever chooses another one before the answer is there stays at it.
    const held = Promise.withResolvers<void>()
    await page.route(/\/unread$/, async route => {
      await held.promise
      await route.continue()
    })
    await page.getByRole('button', { name: 'Actions for Ada Lovelace' }).click()
    const focused = page.locator('[role="menuitem"]:focus')
    await focused.waitFor()
    // It is read now, and the open menu has one item more, above the one with the focus.
    await page.evaluate("document.hasFocus = () => true; dispatchEvent(new Event('focus'))")
    const markUnread = page.getByRole('menuitem', { name: 'Mark as unread' })
    await markUnread.waitFor()
    expect(await focused.count()).toBe(1)
    // A letter presses nothing behind an open menu.
    await page.keyboard.press('t')
    await markUnread.click()
    expect(await page.locator('.thread-head').getByLabel('Assigned to you').count()).toBe(0)
    await page.getByRole('searchbox').fill('')
    await page.getByRole('link', { name: 'Grace Hopper' }).click()
    await page.getByRole('log').getByText('Are you open?').waitFor()
    const { pathname } = new URL(page.url())
    held.resolve()
    await rows.filter({ hasText: 'Lovelace' }).getByLabel('1 unread').waitFor()
    expect(new URL(page.url()).pathname).toBe(pathname)
  })

  story('a conversation follows what is said, keeps the place of its reader, and shows a picture', async stage => {
    const backstage = await Backstage.signUp(stage.deployment)
    await backstage.connectSandbox()
    const key = await backstage.createKey('Shop backend')
    for (let n = 0; n < 50; n += 1) await says(stage.deployment, { text: `No ${n}` })
    const id = await backstage.send(key, { type: 'text', phone: number, content: 'Which colour?' })
    const visitor = await stage.visitor()
    const { page } = visitor
    await page.goto(`/console/w/${backstage.workspaceId}/conversations`)
    await signIn(visitor, ownerEmail)
    await page.getByRole('link', { name: 'Ada Lovelace' }).click()
    const log = page.getByRole('log')
    await log.getByRole('link', { name: 'Read: open the message' }).waitFor()
    expect(await heightOf(page, 'Which colour?')).toBeGreaterThan(400)

    await log.hover()
    await eventually(async () => {
      await page.mouse.wheel(0, -5_000)
      expect(await log.getByText('No 0', { exact: true }).count()).toBe(1)
    })
    await log.getByText('No 5', { exact: true }).scrollIntoViewIfNeeded()
    const before = await heightOf(page, 'No 5')
    const { message } = await backstage.call<{ message: { channelMessageId: string } }>(`/messages/${id}`)
    await says(stage.deployment, { text: 'This one', kind: 'image', file: { base64: pixel, mimeType: 'image/png' } })
    await says(stage.deployment, { text: 'The green one', contextId: message.channelMessageId })
    await says(stage.deployment, { kind: 'reaction', emoji: '👍' })
    await log.getByText('The green one').waitFor({ state: 'attached' })
    // A browser scrolls by whole pixels, and what is drawn has parts of them.
    expect(Math.abs((await heightOf(page, 'No 5')) - before)).toBeLessThanOrEqual(1)
    // What stands below is not read. Timers of the page run in their order: one that tells would be over.
    await page.evaluate(ms => new Promise(resolve => setTimeout(resolve, ms)), passedMs)
    expect(await unreadOf(backstage)).toBe(1)

    await page.getByRole('button', { name: 'Newest messages' }).click()
    const picture = log.getByRole('img', { name: 'Picture' })
    await picture.waitFor()
    await eventually(async () => expect(await picture.evaluate(image => Reflect.get(image, 'naturalWidth'))).toBe(1))
    const fetched: string[] = []
    page.on('request', request => fetched.push(request.url()))
    await page.evaluate("dispatchEvent(new Event('focus'))")
    await log.getByRole('img', { name: 'Ada Lovelace: 👍' }).waitFor()
    await log.getByRole('button', { name: 'We Which colour?' }).click()
    expect(await page.locator(':focus').textContent()).toContain('Which colour?')
    await says(stage.deployment, { text: 'Thank you' })
    await log.getByText('Thank you').waitFor()
    expect(fetched.filter(url => url.includes('/media/'))).toEqual([])
    // What is sent to others is looked at, and the conversation is not read again for it.
    await eventually(async () => {
      const looked = page.waitForResponse(answer => answer.url().includes('/message-rows?'), { timeout: 10_000 })
      const before = fetched.length
      await backstage.send(key, { type: 'text', phone: '+15550150177', content: 'To another.' })
      await looked
      await page.evaluate(() => new Promise(resolve => setTimeout(resolve, 100)))
      expect(fetched.slice(before).filter(url => /\/conversation(\?|$)/.test(url))).toEqual([])
    })
    await backstage.send(key, { type: 'text', phone: number, content: 'Anything else?' })
    await log.getByText('Anything else?').waitFor()
    await eventually(async () => expect(await unreadOf(backstage)).toBe(0))
    expect(await accessibilityFindings(page)).toEqual([])
  })

  story('a conversation opens at what nobody has read, and only what stood on the screen is read', async stage => {
    const backstage = await Backstage.signUp(stage.deployment)
    await backstage.connectSandbox()
    for (let n = 1; n <= 60; n += 1) await says(stage.deployment, { text: `No ${n}` })
    const visitor = await stage.visitor()
    const { page } = visitor
    await page.goto(`/console/w/${backstage.workspaceId}/conversations`)
    await signIn(visitor, ownerEmail)
    await page.getByRole('link', { name: 'Ada Lovelace' }).click()
    const log = page.getByRole('log')
    await log.getByText('60 unread').waitFor()
    const isSeen = (text: string) => log.getByText(text, { exact: true }).evaluate(isInside)
    await eventually(async () => expect(await isSeen('No 1')).toBeTrue())
    expect(await isSeen('No 60')).toBeFalse()
    const unread = async () => {
      const { conversations } = await backstage.call<{ conversations: { unread: number }[] }>('/conversations')
      return conversations[0]?.unread ?? 0
    }
    await eventually(async () => expect(await unread()).toBeWithin(1, 60))
    expect(await isSeen('No 1')).toBeTrue()
    // Who goes to the end has not seen what is between.
    await page.getByRole('button', { name: 'Newest messages' }).click()
    await eventually(async () => expect(await isSeen('No 60')).toBeTrue())
    await page.evaluate(ms => new Promise(resolve => setTimeout(resolve, ms)), passedMs)
    expect(await unread()).toBeGreaterThan(0)
  })
}

/** In the page. @returns whether it stands in the box of the conversation */
const isInside = (said: unknown) => {
  const of = (element: { getBoundingClientRect(): { top: number; bottom: number } }) => element.getBoundingClientRect()
  const element = said as { closest(selector: string): never; getBoundingClientRect(): never }
  const [{ top, bottom }, box] = [of(element), of(element.closest('[role=log]'))]
  return top >= box.top && bottom <= box.bottom
}
