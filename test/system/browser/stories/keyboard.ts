import { expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { startReceiver, took } from '../../../webhooks/receiver.ts'
import { Backstage, ownerEmail, password } from '../backstage.ts'
import { story } from '../stage.ts'

/** More than any page has on the way to what a task needs. */
const tabsMax = 120
type Role = 'button' | 'link' | 'menuitem' | 'textbox'

/** Goes on with Tab until the control has the focus, and somebody sees that it has. */
async function tabTo(page: Page, role: Role, name: string | RegExp): Promise<void> {
  const control = page.getByRole(role, { name, exact: true }).first()
  await control.waitFor()
  for (let tabs = 0; tabs < tabsMax; tabs += 1) {
    if ((await control.and(page.locator(':focus')).count()) > 0) {
      const ring = await page.evaluate<string>('getComputedStyle(document.activeElement).outlineStyle')
      // A field shows it by its border.
      if (role !== 'textbox') expect([name, ring]).not.toEqual([name, 'none'])
      return
    }
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab does not lead to ${name}`)
}

async function choose(page: Page, role: Role, name: string | RegExp): Promise<void> {
  await tabTo(page, role, name)
  await page.keyboard.press('Enter')
}

async function write(page: Page, name: string, text: string): Promise<void> {
  await tabTo(page, 'textbox', name)
  await page.keyboard.type(text)
}

export function keyboardStories(): void {
  story('every task by keyboard alone: a cure, a key, a template, a delivery, an invitation, and out', async stage => {
    const { deployment } = stage
    const backstage = await Backstage.signUp(deployment)
    await backstage.connectSandbox()
    await using receiver = startReceiver(() => new Response('', { status: 503 }))
    await backstage.call('/webhooks', { url: receiver.url, description: 'Order desk', events: ['message.failed'] })
    const key = await backstage.createKey('Shop backend')
    await backstage.send(key, { type: 'text', phone: '+15550101027', content: 'Your parcel is on its way.' })
    await backstage.send(key, { type: 'text', phone: '+15550101026', content: 'Your parcel is on its way.' })
    const { page } = await stage.visitor()

    await page.goto('/console')
    await write(page, 'Email', ownerEmail)
    await write(page, 'Password', password)
    await page.keyboard.press('Enter')

    await choose(page, 'link', 'Messages')
    await page.getByRole('link', { name: '+15550101026' }).waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    await page.getByText('Check the number with the recipient').first().waitFor()
    // Back in the list, the keys go on at the row that was opened.
    await page.goBack()
    await page.getByRole('link', { name: '+15550101026' }).first().waitFor()
    await page.keyboard.press('j')
    expect(await page.locator(':focus').textContent()).toBe('+15550101027')

    await choose(page, 'link', 'API keys')
    await choose(page, 'button', 'Create a key')
    await write(page, 'Label', 'Warehouse')
    await page.keyboard.press('Enter')
    await choose(page, 'button', 'I have copied the secret')
    await page.getByRole('cell', { name: 'Warehouse', exact: true }).waitFor()

    await choose(page, 'link', 'Templates')
    await choose(page, 'link', 'New template')
    // What is given up is asked for, and then is no draft that comes back.
    await write(page, 'Name', 'given_up')
    await choose(page, 'button', 'Cancel')
    await choose(page, 'button', 'Close and discard')
    await choose(page, 'link', 'New template')
    await tabTo(page, 'textbox', 'Name')
    expect(await page.locator(':focus').inputValue()).toBe('')
    await write(page, 'Name', 'parcel_here')
    await write(page, 'Text', 'Your parcel is here.')
    await choose(page, 'button', 'Submit for review')
    await page.getByText('In review', { exact: true }).first().waitFor()

    await choose(page, 'link', 'Webhooks')
    await choose(page, 'link', 'Order desk')
    // Its person stands below.
    await choose(page, 'link', /^message\.failed/)
    await page.getByText('503').first().waitFor()
    receiver.answer = took
    await choose(page, 'button', 'Deliver again')
    await page.getByText('Delivered', { exact: true }).first().waitFor()

    await choose(page, 'link', 'Members')
    await choose(page, 'button', 'Invite')
    await write(page, 'Email', 'grace@example.com')
    await page.keyboard.press('Enter')
    await choose(page, 'button', 'I have copied the link')
    await page.getByRole('cell', { name: 'grace@example.com', exact: true }).waitFor()

    await choose(page, 'button', 'Ada Lovelace: account and colours')
    for (let steps = 0; steps < tabsMax; steps += 1) {
      if ((await page.locator(':focus').textContent()) === 'Sign out') break
      await page.keyboard.press('ArrowDown')
    }
    await page.keyboard.press('Enter')
    await page.waitForURL('**/console/sign-in*')
  })
}
