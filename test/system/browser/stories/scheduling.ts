import { expect } from 'bun:test'
import { dayMs, hourMs } from '../../../../src/base/durations.ts'
import { eventually } from '../../../eventually.ts'
import { accessibilityFindings } from '../axe.ts'
import { Backstage, ownerEmail } from '../backstage.ts'
import { signIn } from '../people.ts'
import { story } from '../stage.ts'
import { smallTargets } from '../targets.ts'
import { desktop, phone } from '../visitor.ts'
import { says } from './conversations.ts'

interface Listed {
  readonly messages: readonly { readonly status: string; readonly sendAt: string | null }[]
}

export function schedulingStories(): void {
  story('a member schedules an answer from a telephone, sees it, moves it and cancels it', async stage => {
    const { sandbox } = stage.deployment
    const backstage = await Backstage.signUp(stage.deployment)
    await backstage.connectSandbox()
    await says(stage.deployment, { text: 'Can you remind me?' })
    const visitor = await stage.visitor(phone)
    const { page } = visitor
    await page.goto(`/console/w/${backstage.workspaceId}/conversations`)
    await signIn(visitor, ownerEmail)
    await page.getByRole('link', { name: 'Ada Lovelace' }).click()
    const [log, dialog] = [page.getByRole('log'), page.getByRole('dialog')]
    const field = page.getByRole('textbox', { name: 'Write to Ada Lovelace' })
    const stored = async () => (await backstage.call<Listed>('/messages')).messages
    await field.fill('Your appointment is at ten.')
    await page.getByRole('button', { name: 'Send later…' }).click()
    await dialog.getByText('In your time zone: Europe/Berlin').waitFor()
    expect(await accessibilityFindings(page)).toEqual([])
    expect(await smallTargets(page)).toEqual([])
    await dialog.getByLabel('Date and time').fill('2020-01-01T09:00')
    await dialog.getByRole('button', { name: 'Schedule' }).click()
    await dialog.getByText(/^Choose a time from /).waitFor()
    await dialog.getByRole('button', { name: 'Tomorrow, 09:00' }).click()
    await log.getByRole('link', { name: 'Scheduled: open the message' }).waitFor()
    await log.getByText('Tomorrow, 09:00').waitFor()
    expect(await field.inputValue()).toBe('')
    expect(await accessibilityFindings(page)).toEqual([])
    expect(await smallTargets(page)).toEqual([])

    const menu = log.getByRole('button', { name: 'Actions for Your appointment is at ten.' })
    await menu.click()
    await page.getByRole('menuitem', { name: 'Send at another time…' }).click()
    await dialog.getByRole('button', { name: /^In one hour, / }).click()
    await dialog.waitFor({ state: 'detached' })
    await eventually(async () => {
      const [message] = await stored()
      expect(Math.abs(Date.parse(message?.sendAt ?? '') - Date.now() - hourMs)).toBeLessThan(5 * 60_000)
    })
    await menu.click()
    await page.getByRole('menuitem', { name: 'Cancel…' }).click()
    await dialog.getByRole('button', { name: 'Do not send it' }).click()
    await log.getByRole('link', { name: 'Cancelled: open the message' }).waitFor()
    expect(await stored()).toMatchObject([{ status: 'CANCELLED' }])
    const { requests } = (await (await fetch(`${sandbox.url}/sandbox/requests`)).json()) as { requests: object[] }
    expect(requests.filter(request => JSON.stringify(request).includes('appointment'))).toEqual([])
  })

  story('a template is scheduled, found by the link in Messages, and moved on its page', async stage => {
    const backstage = await Backstage.signUp(stage.deployment)
    await backstage.connectSandbox()
    await says(stage.deployment, { text: 'Hello?' })
    const visitor = await stage.visitor(desktop)
    const { page } = visitor
    await page.goto(`/console/w/${backstage.workspaceId}/conversations`)
    await signIn(visitor, ownerEmail)
    await page.getByRole('link', { name: 'Ada Lovelace' }).click()
    await page.getByRole('button', { name: 'Add files, a template or a location' }).click()
    await page.getByRole('menuitem', { name: 'Send a template' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'hello_world' }).click()
    await dialog.getByRole('button', { name: 'Send later…' }).click()
    await dialog.getByRole('button', { name: 'Tomorrow, 09:00' }).click()
    await page.getByRole('log').getByText('Tomorrow, 09:00').waitFor()

    await page.goto(`/console/w/${backstage.workspaceId}/messages`)
    await page.getByRole('link', { name: 'Scheduled (1)' }).click()
    await page
      .getByRole('row', { name: /Ada Lovelace/ })
      .getByText('Tomorrow, 09:00')
      .waitFor()
    expect(await accessibilityFindings(page)).toEqual([])
    await page
      .getByRole('row', { name: /Ada Lovelace/ })
      .getByRole('link')
      .first()
      .click()
    await page.getByText('It waits for its time').waitFor()
    expect(await accessibilityFindings(page)).toEqual([])
    await page.getByRole('button', { name: 'Send at another time…' }).click()
    const inTwoDays = new Date(Date.now() + 2 * dayMs).toISOString().slice(0, 10)
    await dialog.getByLabel('Date and time').fill(`${inTwoDays}T11:30`)
    await dialog.getByRole('button', { name: 'Schedule' }).click()
    await page.getByRole('status').getByText('11:30').waitFor()
    await page.getByText('Moved to another time').waitFor()
    await page.goto(`/console/w/${backstage.workspaceId}/usage`)
    await page
      .getByText(/messages/)
      .first()
      .waitFor()
  })
}
