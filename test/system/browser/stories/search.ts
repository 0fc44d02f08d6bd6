import { expect } from 'bun:test'
import { join } from 'node:path'
import { accessibilityFindings } from '../axe.ts'
import { Backstage, ownerEmail } from '../backstage.ts'
import { signIn } from '../people.ts'
import { pictureFolder, story } from '../stage.ts'
import { desktop, phone } from '../visitor.ts'
import { says } from './conversations.ts'

/** More than a page on each side of what is searched for. */
const around = 45

export function searchStories(): void {
  story('what a customer wrote long ago is found by two words, and read where it stands', async stage => {
    const backstage = await Backstage.signUp(stage.deployment)
    await backstage.connectSandbox()
    await says(stage.deployment, { text: 'Hello, it is Ada.' })
    for (let n = 0; n < around; n += 1) await says(stage.deployment, { text: `Before ${n}` })
    await says(stage.deployment, { text: 'Is there a bread that is only of rye?' })
    for (let n = 0; n < around; n += 1) await says(stage.deployment, { text: `After ${n}` })
    await says(stage.deployment, { from: '+15550150199', name: 'Grace Hopper', text: 'White bread for me' })
    const visitor = await stage.visitor()
    const { page } = visitor
    await page.goto(`/console/w/${backstage.workspaceId}/conversations`)
    await signIn(visitor, ownerEmail)
    await page.keyboard.press('/')
    // Who never wrote is found too, and can be written to.
    await backstage.call('/contacts', { phone: '+15550150142', name: null })
    await page.keyboard.type('0150142')
    const others = page.getByRole('region', { name: 'Other contacts' })
    await others.getByRole('link', { name: '+15550150142' }).click()
    await page.getByRole('heading', { name: '+15550150142' }).waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('rye bread')
    const found = page.getByRole('region', { name: 'In messages' })
    const hit = found.getByRole('listitem')
    await hit.waitFor()
    expect(await hit.locator('mark').allTextContents()).toEqual(['bread', 'rye'])
    await hit.getByRole('link').click()

    const log = page.getByRole('log')
    const said = log.locator('[data-hit]')
    await said.waitFor()
    expect(await said.locator('mark').allTextContents()).toEqual(['bread', 'rye'])
    const isInView = async () => {
      const [box, frame] = [await said.boundingBox(), await log.boundingBox()]
      return box !== null && frame !== null && box.y > frame.y && box.y + box.height < frame.y + frame.height
    }
    expect(await isInView()).toBe(true)
    await page.getByText('1 of 1', { exact: true }).waitFor()
    expect(await accessibilityFindings(page)).toEqual([])
    await page.screenshot({ path: join(pictureFolder, 'search in conversations.png') })
    await page.setViewportSize(phone)
    await page.screenshot({ path: join(pictureFolder, 'search in conversations phone.png') })
    await page.setViewportSize(desktop)
    // On from there, and back.
    await log.getByText('After 5', { exact: true }).scrollIntoViewIfNeeded()
    await page.evaluate("document.querySelector('[role=log]').scrollTo(0, 0)")
    await log.getByText('After 44', { exact: true }).waitFor()
    await page.evaluate("document.querySelector('[role=log]').scrollTo(0, -1_000_000)")
    await log.getByText('Hello, it is Ada.').waitFor()
    await page.getByRole('button', { name: 'Newest messages' }).click()
    await said.waitFor({ state: 'detached' })
    await log.getByText('After 44', { exact: true }).waitFor()

    // Within the conversation, from one to the next by Enter.
    const field = page.getByRole('searchbox', { name: 'Search in this conversation' })
    await field.fill('after 1')
    await page.getByText('1 of 14', { exact: true }).waitFor()
    await said.getByText('After 41', { exact: true }).waitFor()
    await field.press('Enter')
    await page.getByText('2 of 14', { exact: true }).waitFor()
    await said.getByText('After 31', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Later one' }).click()
    await page.getByText('1 of 14', { exact: true }).waitFor()

    // What waits to be sent keeps nobody from what was found.
    await field.fill('rye')
    await said.getByText('Is there a bread').waitFor()
    await page.getByRole('button', { name: 'Newest messages' }).click()
    await log.getByText('After 44', { exact: true }).waitFor()
    expect(await log.evaluate(box => Reflect.get(box, 'scrollTop'))).toBe(0)
    visitor.expectLostConnection()
    await page.route(/\/contacts\/[^/]+\/messages$/, route => route.abort())
    await page.getByRole('textbox', { name: 'Write to Ada Lovelace' }).fill('We have one.')
    await page.keyboard.press('Enter')
    await log.getByText('We have one.').waitFor()
    await field.press('Enter')
    await said.getByText('Is there a bread').waitFor()
    await page.reload()
    await said.getByText('Is there a bread').waitFor()
    await field.fill('nothing of this')
    await page.getByText('Nothing was found.').waitFor()
    await field.press('Escape')
    await field.waitFor({ state: 'detached' })
    expect(await log.locator('mark').count()).toBe(0)
  })
}
