import { expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { eventually } from '../../../eventually.ts'
import { Backstage, ownerEmail } from '../backstage.ts'
import { signIn } from '../people.ts'
import { story } from '../stage.ts'
import { says } from './conversations.ts'

/** In place of the browser's own, which a headless one does not show: what it would show is in `shown`. */
const ownNotifications = `
  window.shown = []
  window.Notification = class {
    static permission = 'default'
    static requestPermission = async () => (Notification.permission = 'granted')
    constructor(title, { body }) { shown.push({ title, body, click: () => this.onclick() }) }
    close() {}
  }`

const lookAway = (page: Page) => page.evaluate("document.hasFocus = () => false; dispatchEvent(new Event('blur'))")
const shownIn = (page: Page) => page.evaluate<string[]>("shown.map(({ title, body }) => title + ': ' + body)")

export function callingStories(): void {
  story('who looks elsewhere is called once, in whichever tab, without the words', async stage => {
    const backstage = await Backstage.signUp(stage.deployment)
    await backstage.connectSandbox()
    const visitor = await stage.visitor()
    const { page, context } = visitor
    await context.addInitScript(ownNotifications)
    await page.goto('/console/account')
    await signIn(visitor, ownerEmail)
    const preferences = page.getByRole('region', { name: 'Preferences' })
    await preferences.getByText('In all', { exact: true }).click()
    await eventually(async () => expect(await page.evaluate<string>('Notification.permission')).toBe('granted'))
    await preferences.getByLabel('With a sound').check()
    await page.reload()
    expect(await preferences.getByLabel('With a sound').isChecked()).toBe(true)
    // The way back from the page of no workspace.
    await page.getByRole('navigation').getByRole('link', { name: 'Conversations' }).click()

    const other = await context.newPage()
    await other.goto(`/console/w/${backstage.workspaceId}/messages`)
    const pages = [page, other]
    for (const each of pages) await each.evaluate("Notification.permission = 'granted'")
    const title = (each: Page, begin: string) => eventually(async () => expect(await each.title()).toStartWith(begin))
    // Somebody looks at one of both: nobody has to be called.
    await lookAway(page)
    await says(stage.deployment, { text: 'Where is my parcel?' })
    for (const each of pages) await title(each, '(1) ')
    await lookAway(other)
    await says(stage.deployment, { from: '+15550150199', name: 'Grace Hopper', text: 'Are you open?' })
    for (const each of pages) await title(each, '(2) ')
    const shown = async () => (await Promise.all(pages.map(shownIn))).flat()
    await eventually(async () => expect(await shown()).toEqual(['Grace Hopper: New message']))
    for (const each of pages) await each.evaluate('for (const { click } of shown) click()')
    await eventually(() => expect(pages.some(each => /\/conversations\/contact_/.test(each.url()))).toBe(true))
  })
}
