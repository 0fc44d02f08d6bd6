import { expect } from 'bun:test'
import { join } from 'node:path'
import { eventually } from '../../../eventually.ts'
import { accessibilityFindings } from '../axe.ts'
import { Backstage, ownerEmail } from '../backstage.ts'
import { signIn } from '../people.ts'
import { pictureFolder, story } from '../stage.ts'
import { smallTargets } from '../targets.ts'
import { desktop, phone, type Screen } from '../visitor.ts'

const tablet: Screen = { width: 800, height: 1024 }

const people = 500
const optedOut = 3
const phoneOf = (at: number) => `+1555018${String(at).padStart(4, '0')}`

/** A table as a spreadsheet saves it: 500 people, of whom three want no marketing, and four rows that are wrong. */
function table(): string {
  const rows = Array.from({ length: people }, (_, at) => `${phoneOf(at)};Person ${at};SPRING${at}`)
  rows.splice(10, 0, '0151 none;Nobody;X')
  rows.splice(20, 0, ';No number;X')
  rows.splice(30, 0, '1,5550E+10;Shortened;X')
  rows.splice(40, 0, `${phoneOf(900)};Empty;`)
  return ['Phone number;name;code', ...rows].join('\r\n')
}

/** Once what moves has come to its place. */
const slidOut = `new Promise(drawn => requestAnimationFrame(() => requestAnimationFrame(drawn)))
  .then(() => Promise.all(document.getAnimations()
    .filter(each => each.effect.getTiming().iterations !== Infinity).map(each => each.finished.catch(() => null))))
  .then(() => null)`

export function campaignStories(): void {
  story('a shop writes to 500 people from a table, at nine tomorrow, and leaves one out', async stage => {
    const { sandbox } = stage.deployment
    const backstage = await Backstage.signUp(stage.deployment)
    await backstage.connectSandbox()
    for (let at = 0; at < optedOut; at += 1) {
      const said = { kind: 'text', from: phoneOf(at), name: `Person ${at}`, text: 'STOP' }
      await fetch(`${sandbox.url}/sandbox/callbacks/inbound`, { method: 'POST', body: JSON.stringify(said) })
    }
    const visitor = await stage.visitor()
    const { page } = visitor
    const resize = async (screen: Screen) => {
      await page.setViewportSize(screen)
      // The rail slides.
      await page.evaluate(slidOut)
    }
    const look = async (name: string) => {
      await page.mouse.move(0, 0)
      // What was clicked far below has scrolled; the frame's header stays at the top of a whole picture.
      await page.evaluate('scrollTo(0, 0)')
      for (const screen of [desktop, tablet, phone]) {
        await resize(screen)
        await page.screenshot({ path: join(pictureFolder, `campaign ${name} ${screen.width}.png`), fullPage: true })
        // Between the two it is the one or the other.
        if (screen === tablet) continue
        expect([name, screen.width, await accessibilityFindings(page)]).toEqual([name, screen.width, []])
      }
      expect(await smallTargets(page)).toEqual([])
      await resize(desktop)
    }
    await page.goto(`/console/w/${backstage.workspaceId}`)
    await signIn(visitor, ownerEmail)
    await page.getByRole('link', { name: 'Campaigns', exact: true }).click()
    await page.getByText('No campaign yet').waitFor()
    await look('none')
    await page.getByRole('link', { name: 'New campaign' }).first().click()
    await page.getByRole('searchbox', { name: 'Search templates' }).fill('coupon')
    await page.getByRole('button', { name: /^coupon_reminder US English/ }).click()
    await page.getByText(/^Marketing: who wants none/).waitFor()
    await page.locator('input[type=file]').setInputFiles({
      ...{ name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from(table()) },
    })
    await page.getByText('people.csv: 504 people').waitFor()
    // Nothing is wrong before a field was left.
    expect(await page.getByText('Choose a column, or write a text.').count()).toBe(0)
    await page.getByRole('textbox', { name: 'Value 1' }).focus()
    await page.getByRole('textbox', { name: 'Value 2' }).focus()
    await page.getByText('Choose a column, or write a text.').first().waitFor()
    await look('mapping')
    await page.getByText('Give each value of the template a column or a text.').waitFor()
    await page.getByLabel('Your code').first().selectOption('code')
    await page.getByRole('combobox', { name: 'Offer code' }).selectOption('code')
    await page.getByRole('textbox', { name: 'Value 2' }).fill('10')
    await page.getByText('4 rows are left out:').waitFor()
    await page.getByText('500 people can get it.').waitFor()
    await page.getByRole('region', { name: 'What they see' }).getByText(phoneOf(2)).waitFor()
    await look('new')
    await page.getByLabel('Name of the campaign').fill('Spring')
    await page.getByRole('button', { name: 'Save draft and go on' }).click()

    await page.getByRole('heading', { name: 'Spring' }).waitFor()
    await page.getByText('It goes to 497 of 500 people.').waitFor()
    await page.getByText('Left out, as they want no marketing: 3.').waitFor()
    await page
      .getByText('Will be left out')
      .nth(optedOut - 1)
      .waitFor()
    expect(await page.getByText('Will be left out').count()).toBe(optedOut)
    await look('draft')
    await page.getByRole('button', { name: 'Choose a time…' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Tomorrow, 09:00' }).click()
    await page.getByText('Scheduled', { exact: true }).waitFor()
    await page.getByRole('region', { name: 'Starts: Tomorrow, 09:00' }).waitFor()
    await page.getByRole('button', { name: `Actions for ${phoneOf(7)}` }).click()
    await page.getByRole('menuitem', { name: 'Leave out' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Leave out' }).click()
    await page.getByRole('table', { name: 'People' }).getByText('Cancelled').waitFor()
    await page.getByText('It goes to 496 of 500 people.').waitFor()
    await page.getByText('Left out already: 1.').waitFor()
    await look('scheduled')
    await page.getByRole('link', { name: '← Campaigns' }).click()
    await page.getByRole('link', { name: 'Spring' }).waitFor()
    await page.getByText('500 people').waitFor()
    await page.getByText('Planned: Tomorrow, 09:00').waitFor()
    await look('list')
    const [campaign] = (await backstage.call<{ campaigns: { state: string; waiting: number }[] }>('/campaigns'))
      .campaigns
    expect(campaign).toMatchObject({ state: 'scheduled', waiting: people - 1 })

    // Another one, to people who all want none: it would reach nobody, and is not started.
    await page.getByRole('link', { name: 'Spring' }).click()
    await page.getByRole('button', { name: 'Cancel campaign…' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel campaign' }).click()
    await page.getByText('Cancelled', { exact: true }).first().waitFor()
    await page.goto(`/console/w/${backstage.workspaceId}/campaigns/new`)
    await page.getByRole('searchbox', { name: 'Search templates' }).fill('coupon')
    await page.getByRole('button', { name: /^coupon_reminder US English/ }).click()
    await page.getByText('From your contacts').click()
    await page.getByLabel('Without those who want no marketing').uncheck()
    await page.getByRole('button', { name: 'Find them' }).click()
    await page.getByText('3 people', { exact: true }).waitFor()
    await page.getByRole('textbox', { name: 'Value 1' }).fill('SPRING')
    await page.getByRole('textbox', { name: 'Value 2' }).fill('10')
    await page.getByRole('textbox', { name: 'Offer code' }).fill('SPRING')
    await look('contacts')
    await page.getByRole('button', { name: 'Save draft and go on' }).click()
    await page.getByRole('heading', { name: /^coupon_reminder, / }).waitFor()
    await page.getByRole('region', { name: 'What they see' }).getByText('Person 2').waitFor()
    await page.getByText('Nobody would get it.').waitFor()
    await look('draft of contacts')
    for (const name of ['Send now…', 'Choose a time…'])
      expect(await page.getByRole('button', { name }).isDisabled()).toBe(true)
    expect(await page.getByRole('button', { name: 'Discard draft…' }).isDisabled()).toBe(false)
    // A program that starts it is not refused: it is done at once, and does not look as if somebody had got it.
    const key = await backstage.createKey('Shop')
    const batchId = page.url().split('/').at(-1)
    const started = await fetch(`${stage.deployment.url}/api/v1/public/batches/${batchId}/start`, {
      ...{ method: 'POST', headers: { ...key, 'content-type': 'application/json' }, body: '{}' },
    })
    expect(started.status).toBe(200)
    await eventually(() => page.getByText('Nobody reached', { exact: true }).waitFor({ timeout: 1_000 }))
    await page.getByText('Wants no marketing').first().waitFor()
    await look('done')

    // To who wrote, and who has no number: the person is written to by the id of the contact.
    const wrote = { kind: 'text', from: phoneOf(901), withoutNumber: true, name: 'Without Number', text: 'Hi' }
    await fetch(`${sandbox.url}/sandbox/callbacks/inbound`, { method: 'POST', body: JSON.stringify(wrote) })
    await page.goto(`/console/w/${backstage.workspaceId}/campaigns/new`)
    await page.getByRole('button', { name: /^coupon_reminder US English/ }).click()
    await page.getByText('From your contacts').click()
    await page.getByRole('button', { name: 'Find them' }).click()
    await page.getByText('One person', { exact: true }).waitFor()
    for (const name of ['Value 1', 'Value 2', 'Offer code']) await page.getByRole('textbox', { name }).fill('1')
    await page.getByLabel('Name of the campaign').fill('By id')
    await page.getByRole('button', { name: 'Save draft and go on' }).click()
    await page.getByRole('button', { name: 'Send now…' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Send now' }).click()
    await page.getByText('1 of 1').first().waitFor()
    await page.getByText('Without Number').first().waitFor()

    // And one whose columns are called as the values are: all that is left to do is to send it.
    await page.goto(`/console/w/${backstage.workspaceId}/campaigns/new`)
    await page.getByRole('button', { name: /^coupon_reminder US English/ }).click()
    const named = Array.from({ length: 40 }, (_, at) => `${phoneOf(at + 1)};SPRING${at};10;SPRING${at}`)
    const buffer = Buffer.from(['phone;1;2;copy_code', ...named].join('\n'))
    await page.locator('input[type=file]').setInputFiles({ name: 'named.csv', mimeType: 'text/csv', buffer })
    await page.getByText('40 people can get it.').waitFor()
    await page.getByLabel('Name of the campaign').fill('Spring again')
    await page.getByRole('button', { name: 'Save draft and go on' }).click()
    await page.getByRole('button', { name: 'Send now…' }).click()
    await page.getByRole('dialog').getByText('It goes to 38 of 40 people.').waitFor()
    await page.getByRole('dialog').getByText('Act fast: SPRING2').waitFor()
    await look('start')
    await page.getByRole('dialog').getByRole('button', { name: 'Send now' }).click()
    await page.getByText('95%').first().waitFor()
    await look('sent')
    await page.emulateMedia({ colorScheme: 'dark' })
    await look('sent dark')
    await page.getByRole('link', { name: '← Campaigns' }).click()
    const rowOf = (name: RegExp) => page.getByRole('row', { name })
    await rowOf(/^Spring again Done 38 of 40 Started: Today/).waitFor()
    await rowOf(/^coupon_reminder, .* Nobody reached 0 of 3 Started: Today/).waitFor()
    await rowOf(/^Spring Cancelled 0 of 500 Cancelled: Today/).waitFor()
    await look('list dark')
  })
}
