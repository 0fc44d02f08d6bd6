import { expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { eventually } from '../../../eventually.ts'
import { accessibilityFindings } from '../axe.ts'
import { Backstage, ownerEmail } from '../backstage.ts'
import { signIn } from '../people.ts'
import { story } from '../stage.ts'
import { phone } from '../visitor.ts'
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
    const isCalled = page.waitForResponse(
      async answer => answer.url().includes('unread=true') && (await answer.text()).includes('Where is my parcel?'),
    )
    await says(stage.deployment, { text: 'Where is my parcel?' })
    // The tab that calls has read it, and asked the others, while somebody looks: its title may say so earlier.
    await isCalled
    for (const each of pages) await title(each, '(1) ')
    await lookAway(other)
    await says(stage.deployment, { from: '+15550150199', name: 'Grace Hopper', text: 'Are you open?' })
    for (const each of pages) await title(each, '(2) ')
    const shown = async () => (await Promise.all(pages.map(shownIn))).flat()
    await eventually(async () => expect(await shown()).toEqual(['Grace Hopper: New message']))
    for (const each of pages) await each.evaluate('for (const { click } of shown) click()')
    await eventually(() => expect(pages.some(each => /\/conversations\/contact_/.test(each.url()))).toBe(true))
  })
  story(
    'two members share a conversation: one writes into that of the other, takes it over and gives it back',
    async stage => {
      const backstage = await Backstage.signUp(stage.deployment)
      await backstage.connectSandbox()
      await says(stage.deployment, { text: 'Where is my parcel?' })
      const [owner, member] = [await stage.visitor(), await stage.visitor(phone)]
      for (const [visitor, email] of [
        [owner, ownerEmail],
        [member, await backstage.invite('member')],
      ] as const) {
        await visitor.page.goto(`/console/w/${backstage.workspaceId}/conversations`)
        await signIn(visitor, email)
        await visitor.page.getByRole('link', { name: /Ada Lovelace/ }).click()
        await visitor.page.getByRole('log').getByText('Where is my parcel?').waitFor()
      }
      await owner.page.getByRole('button', { name: 'Assign to me', exact: true }).click()
      await member.page.locator('.thread-head').getByLabel('Assigned to Ada Lovelace').waitFor()

      const log = member.page.getByRole('log')
      const field = member.page.getByRole('textbox', { name: 'Write to Ada Lovelace' })
      await field.fill('One moment')
      await owner.page.getByText('Alan Turing is writing…').waitFor()
      await member.page.getByRole('button', { name: 'Send', exact: true }).click()
      const question = member.page.getByRole('dialog', { name: 'Assigned to Ada Lovelace. Send anyway?' })
      await question.getByRole('button', { name: 'Cancel' }).click()
      expect(await field.inputValue()).toBe('One moment')
      await member.page.getByRole('button', { name: 'Send', exact: true }).click()
      await question.getByRole('button', { name: 'Send anyway' }).click()
      await log.getByText('One moment', { exact: true }).waitFor()
      await owner.page.getByText('Alan Turing is writing…').waitFor({ state: 'detached' })
      await field.fill('Here it is')
      await member.page.getByRole('button', { name: 'Send', exact: true }).click()
      await log.getByText('Here it is', { exact: true }).waitFor()

      await member.page.getByRole('button', { name: 'Actions for Ada Lovelace' }).click()
      await member.page.getByRole('menuitem', { name: 'Take over' }).click()
      const over = member.page.getByRole('dialog', { name: 'Take over from Ada Lovelace?' })
      expect(await accessibilityFindings(member.page)).toEqual([])
      await over.getByRole('button', { name: 'Take over' }).click()
      await owner.page.locator('.thread-head').getByLabel('Assigned to Alan Turing').waitFor()
      await member.page.getByRole('button', { name: 'Actions for Ada Lovelace' }).click()
      await member.page.getByRole('menuitem', { name: 'Assign to…' }).click()
      await member.page.getByRole('dialog').getByRole('button', { name: 'Assign', exact: true }).click()
      await owner.page.locator('.thread-head').getByLabel('Assigned to you').waitFor()
    },
  )
}
