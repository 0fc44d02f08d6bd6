import { expect } from 'bun:test'
import type { Locator } from 'playwright-core'
import { eventually } from '../../../eventually.ts'
import { accessibilityFindings } from '../axe.ts'
import { Backstage, ownerEmail } from '../backstage.ts'
import { signIn } from '../people.ts'
import { story } from '../stage.ts'
import { phone } from '../visitor.ts'
import { pixel, says } from './conversations.ts'

/** Puts a picture on the clipboard's event, as a screenshot is pasted. */
const pastePicture = `base64 => {
  const bytes = Uint8Array.from(atob(base64), letter => letter.charCodeAt(0))
  const clipboardData = new DataTransfer()
  clipboardData.items.add(new File([bytes], 'parcel.png', { type: 'image/png' }))
  document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
}`

const addLabel = 'Add files, a template or a location'

export function composerStories(): void {
  story(
    'a member answers from a telephone with a text, a pasted picture and a reply, and sees them read',
    async stage => {
      const backstage = await Backstage.signUp(stage.deployment)
      await backstage.connectSandbox()
      await says(stage.deployment, { text: 'Where is my parcel?' })
      const visitor = await stage.visitor(phone)
      const { page } = visitor
      await page.goto(`/console/w/${backstage.workspaceId}/conversations`)
      await signIn(visitor, ownerEmail)
      await page.getByRole('link', { name: 'Ada Lovelace' }).click()
      const log = page.getByRole('log')
      const field = page.getByRole('textbox', { name: 'Write to Ada Lovelace' })
      await log.getByRole('button', { name: 'Reply to “Where is my parcel?”' }).click()
      await page.locator('textarea:focus').waitFor()
      await page.keyboard.type('On its way.')
      // What is half written stays, and so does what it answers.
      await page.keyboard.press('Escape')
      await page.reload()
      await page.getByText('Reply to Ada Lovelace').waitFor()
      expect(await field.inputValue()).toBe('On its way.')
      await field.press('Control+Enter')
      const ticks = log.getByRole('link', { name: 'Read: open the message' })
      await ticks.waitFor()
      expect(await field.inputValue()).toBe('')
      await log.getByRole('button', { name: 'Ada Lovelace Where is my parcel?' }).waitFor()

      await field.focus()
      await page.evaluate(`(${pastePicture})(${JSON.stringify(pixel)})`)
      await page.getByRole('button', { name: 'Remove parcel.png' }).waitFor()
      await page.getByRole('region', { name: 'Write to Ada Lovelace' }).getByRole('img', { name: 'Picture' }).waitFor()
      await field.fill('This one')
      expect(await accessibilityFindings(page)).toEqual([])
      await page.getByRole('button', { name: 'Send', exact: true }).click()
      await log.getByText('This one', { exact: true }).waitFor()
      await eventually(async () => expect(await ticks.count()).toBe(2))
      const box = await field.boundingBox()
      expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(phone.height)
    },
  )

  story('a message whose answer is lost is sent once, also when the page is reloaded meanwhile', async stage => {
    const backstage = await Backstage.signUp(stage.deployment)
    await backstage.connectSandbox()
    await says(stage.deployment, { text: 'Are you there?' })
    const visitor = await stage.visitor()
    const { page } = visitor
    await page.goto(`/console/w/${backstage.workspaceId}/conversations`)
    await signIn(visitor, ownerEmail)
    await page.getByRole('link', { name: 'Ada Lovelace' }).click()
    const log = page.getByRole('log')
    await log.getByText('Are you there?').waitFor()
    visitor.expectLostConnection()
    const keys: string[] = []
    const path = /\/contacts\/[^/]+\/messages$/
    // The gateway gets it, and its answer goes nowhere.
    const lost = Promise.withResolvers<void>()
    await page.route(path, async route => {
      keys.push((route.request().postDataJSON() as { idempotencyKey: string }).idempotencyKey)
      if (keys.length > 1) return route.continue()
      await route.fetch()
      await route.abort()
      lost.resolve()
    })
    // Nor does the page hear of it otherwise.
    const isHeard = /\/events|\/conversation$/
    await page.route(isHeard, route => route.abort())
    await page.getByRole('textbox', { name: 'Write to Ada Lovelace' }).fill('Yes, all day.')
    await page.keyboard.press('Control+Enter')
    await log.getByText('Yes, all day.').waitFor()
    await lost.promise
    await page.unroute(isHeard)
    await page.reload()
    await log.getByRole('link', { name: 'Read: open the message' }).waitFor()
    expect(await log.getByText('Yes, all day.').count()).toBe(1)
    expect(new Set(keys).size).toBe(1)
    const { messages } = await backstage.call<{ messages: unknown[] }>('/messages')
    expect(messages).toHaveLength(1)
  })

  story(
    'a message that the platform refuses says why, and goes out by “Send again”, once for all who press it',
    async stage => {
      const { sandbox } = stage.deployment
      const backstage = await Backstage.signUp(stage.deployment)
      await backstage.connectSandbox()
      await says(stage.deployment, { text: 'Hello?' })
      const visitor = await stage.visitor()
      const { page } = visitor
      visitor.expectRefusal(400, /\/messages$/)
      visitor.expectRefusal(502, /\/messages$/)
      await page.goto(`/console/w/${backstage.workspaceId}/conversations`)
      await signIn(visitor, ownerEmail)
      await page.getByRole('link', { name: 'Ada Lovelace' }).click()
      const fault = { answer: 'error', code: 131026, next: 1 }
      await fetch(`${sandbox.url}/sandbox/faults`, { method: 'POST', body: JSON.stringify(fault) })
      await page.getByRole('textbox', { name: 'Write to Ada Lovelace' }).fill('Good morning')
      await page.keyboard.press('Control+Enter')
      const log = page.getByRole('log')
      const failed = log.getByRole('listitem').filter({ hasText: 'Good morning' }).first()
      await failed.getByRole('link', { name: /^Failed/ }).waitFor()
      await page
        .getByRole('region', { name: 'Write to Ada Lovelace' })
        .getByText(/^Message not sent: /)
        .waitFor()
      await failed.getByRole('button', { name: 'Send again' }).click()
      await log.getByRole('link', { name: 'Read: open the message' }).waitFor()
      await page.reload()
      await failed.getByRole('button', { name: 'Send again' }).click()
      await failed.getByText('Sent again').waitFor()
      const { messages } = await backstage.call<{ messages: unknown[] }>('/messages')
      expect(messages).toHaveLength(2)
    },
  )

  story('a message to a new number is begun, its contact made once, and the conversation opened', async stage => {
    const backstage = await Backstage.signUp(stage.deployment)
    await backstage.connectSandbox()
    await says(stage.deployment, { text: 'Hello?' })
    const visitor = await stage.visitor()
    const { page } = visitor
    await page.goto(`/console/w/${backstage.workspaceId}/messages`)
    await signIn(visitor, ownerEmail)
    const dialog = page.getByRole('dialog', { name: 'New message' })
    await page.getByRole('button', { name: 'New message' }).click()
    await dialog.getByLabel('To').fill('+1 555 015 0177')
    await dialog.getByRole('button', { name: 'Write to +1 555 015 0177' }).click()
    await dialog.getByLabel('Name').fill('Grace Hopper')
    expect(await accessibilityFindings(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Add and write' }).click()
    const templates = page.getByRole('dialog', { name: 'Send a template' })
    await templates.getByText('Text may be sent for 24 hours').waitFor()
    await templates.getByRole('button', { name: 'hello_world' }).click()
    await templates.getByRole('button', { name: 'Send the template' }).click()
    await page.getByRole('heading', { name: 'Grace Hopper' }).waitFor()
    await page.getByRole('log').getByText('Hello World').waitFor()
    // Who has written may be written to at once.
    await page.getByRole('button', { name: 'New message' }).click()
    await dialog.getByLabel('To').fill('ada')
    await dialog.getByRole('button', { name: 'Ada Lovelace' }).click()
    await page.locator('textarea:focus').fill('Good morning')
    // A number that somebody has leads to that contact.
    await page.goto(`/console/w/${backstage.workspaceId}/contacts?new=open`)
    await page.getByRole('dialog').getByLabel('Phone number').fill('+15550150177')
    await page.getByRole('dialog').getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByRole('heading', { name: 'Grace Hopper' }).waitFor()
  })

  story('after 24 hours the field leads to the templates, filled with the name of the person', async stage => {
    const { sandbox } = stage.deployment
    const components = [{ type: 'BODY', text: 'Hi {{1}}, is all well?', example: { body_text: [['Grace']] } }]
    const told = [
      ['PUT', 'templates', { name: 'all_well', language: 'en_US', components }],
      ['PATCH', 'settings', { callbacks: { timestampShiftS: -25 * 3_600 } }],
    ] as const
    for (const [method, path, body] of told)
      await fetch(`${sandbox.url}/sandbox/${path}`, { method, body: JSON.stringify(body) })
    const backstage = await Backstage.signUp(stage.deployment)
    await backstage.connectSandbox()
    await says(stage.deployment, { text: 'Yesterday' })
    const visitor = await stage.visitor()
    const { page } = visitor
    await page.goto(`/console/w/${backstage.workspaceId}/conversations`)
    await signIn(visitor, ownerEmail)
    await page.getByRole('link', { name: 'Ada Lovelace' }).click()
    await page.getByText('Templates only until the person writes again').waitFor()
    expect(await page.getByRole('textbox', { name: 'Write to Ada Lovelace' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Choose a template…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Send a template' })
    await dialog.getByRole('button', { name: 'all_well' }).click()
    await dialog.getByRole('figure').getByText('Ada Lovelace').waitFor()
    expect(await accessibilityFindings(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Send the template' }).click()
    const log = page.getByRole('log')
    await log.getByText('Hi Ada Lovelace, is all well?').waitFor()
    await dialog.waitFor({ state: 'detached' })
  })

  story('who picks a template sees the picture of its header, until a file of their own is chosen', async stage => {
    const backstage = await Backstage.signUp(stage.deployment)
    await backstage.connectSandbox()
    await says(stage.deployment, { text: 'Is my photo ready?' })
    const visitor = await stage.visitor()
    const { page } = visitor
    await page.goto(`/console/w/${backstage.workspaceId}/conversations`)
    await signIn(visitor, ownerEmail)
    await page.getByRole('link', { name: 'Ada Lovelace' }).click()
    await page.getByRole('button', { name: addLabel }).click()
    await page.getByRole('menuitem', { name: 'Send a template' }).click()
    const dialog = page.getByRole('dialog', { name: 'Send a template' })
    const widthOf = (place: Locator) => place.evaluate(image => Reflect.get(image, 'naturalWidth'))
    const choices = dialog.getByRole('button', { name: 'photo_ready' })
    await choices.scrollIntoViewIfNeeded()
    await eventually(async () => expect(await widthOf(choices.locator('img'))).toBe(320))
    await choices.click()
    const shown = dialog.getByRole('figure').getByRole('img', { name: 'Image' })
    await eventually(async () => expect(await widthOf(shown)).toBe(320))
    expect(await accessibilityFindings(page)).toEqual([])
    const buffer = Buffer.from(pixel, 'base64')
    await dialog.locator('input[type=file]').setInputFiles({ name: 'own.png', mimeType: 'image/png', buffer })
    await eventually(async () => expect(await widthOf(shown)).toBe(1))
    await dialog.getByRole('button', { name: 'Send the template' }).click()
    const log = page.getByRole('log')
    await eventually(async () => expect(await widthOf(log.getByRole('img', { name: 'Picture' }))).toBe(1))

    await page.getByRole('button', { name: addLabel }).click()
    await page.getByRole('menuitem', { name: 'Send a template' }).click()
    await dialog.getByRole('button', { name: 'video_guide' }).click()
    await dialog.getByRole('button', { name: 'Load the video' }).click()
    await eventually(async () => {
      const video = dialog.getByRole('figure').locator('video')
      expect(Number(await video.evaluate(playing => Reflect.get(playing, 'duration')))).toBeGreaterThan(0)
    })
    await dialog.getByRole('button', { name: 'Another template' }).click()
    await dialog.getByRole('button', { name: 'invoice_ready' }).click()
    await dialog.getByRole('figure').getByText('invoice.pdf').waitFor()
    await dialog.getByRole('button', { name: 'Another template' }).click()
    await dialog.getByRole('button', { name: 'plant_carousel' }).click()
    await dialog.getByRole('figure').getByRole('img', { name: 'Image' }).nth(1).waitFor()
  })

  story('by keyboard alone a reader answers, sees the answer, and sends several files in their order', async stage => {
    const backstage = await Backstage.signUp(stage.deployment)
    await backstage.connectSandbox()
    for (let at = 0; at < 20; at += 1) await says(stage.deployment, { text: `Where is parcel ${at}?` })
    const visitor = await stage.visitor()
    const { page } = visitor
    await page.goto(`/console/w/${backstage.workspaceId}/conversations`)
    await signIn(visitor, ownerEmail)
    await page.getByRole('link', { name: 'Ada Lovelace' }).waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    const log = page.getByRole('log')
    await log.getByText('Today').waitFor()
    await log.getByText('Where is parcel 19?').waitFor()
    // Once more on the opened row, by Tab, and by its own key.
    const field = page.locator('textarea:focus')
    await page.keyboard.press('Enter')
    await field.waitFor()
    await page.locator('[data-row-link]').focus()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await field.waitFor()
    await field.press('Escape')
    await page.keyboard.press('r')
    await field.waitFor()
    await log.evaluate(box => Reflect.set(box, 'scrollTop', -300))
    await page.getByRole('button', { name: 'Newest messages' }).waitFor()
    await page.keyboard.type('Both')
    await page.keyboard.press('Shift+Enter')
    await page.keyboard.type('are on their way.')
    await page.keyboard.press('Enter')
    await log.getByRole('link', { name: 'Read: open the message' }).waitFor()
    const fromEnd = () => log.evaluate(box => Reflect.get(box, 'scrollTop'))
    expect(await fromEnd()).toBe(0)
    const { messages } = await backstage.call<{ messages: { words: string }[] }>('/messages')
    expect(messages.map(({ words }) => words)).toEqual(['Both\nare on their way.'])

    const { sandbox } = stage.deployment
    const picture = await (await fetch(`${sandbox.url}/sandbox/files/image/cake.png`)).arrayBuffer()
    // Who does not wait for the upload has sent all the same.
    const mayUpload = Promise.withResolvers<void>()
    await page.route(/\/media$/, async route => {
      await mayUpload.promise
      await route.continue()
    })
    await page.locator('input[type=file]').setInputFiles([
      { name: 'cake.png', mimeType: 'image/png', buffer: Buffer.from(picture) },
      { name: 'bill.txt', mimeType: 'text/plain', buffer: Buffer.from('12 euros') },
    ])
    await page.getByRole('button', { name: 'Remove bill.txt' }).waitFor()
    await page.keyboard.type('Here they are')
    await page.keyboard.press('Enter')
    expect(await field.inputValue()).toBe('Here they are')
    mayUpload.resolve()
    await eventually(async () => expect(await field.inputValue()).toBe(''))
    const items = log.getByRole('listitem')
    await items.last().getByRole('link', { name: 'Read: open the message' }).waitFor()
    expect(await items.last().textContent()).toMatch(/bill\.txt.*Here they are/)
    const cake = items.nth(-2).getByRole('img', { name: 'Picture' })
    await eventually(async () => expect(await cake.evaluate(image => Reflect.get(image, 'naturalWidth'))).toBe(320))
    expect(await fromEnd()).toBe(0)
    const bill = await items.last().boundingBox()
    const box = await log.boundingBox()
    expect((bill?.y ?? 0) + (bill?.height ?? 0)).toBeLessThanOrEqual((box?.y ?? 0) + (box?.height ?? 0))
  })

  story('a member sends where the shop is, and what stands in the field stays', async stage => {
    const backstage = await Backstage.signUp(stage.deployment)
    await backstage.connectSandbox()
    await says(stage.deployment, { text: 'Where are you?' })
    const visitor = await stage.visitor(phone)
    const { page, context } = visitor
    await context.grantPermissions(['geolocation'])
    await context.setGeolocation({ latitude: 52.5163, longitude: 13.3777 })
    await page.goto(`/console/w/${backstage.workspaceId}/conversations`)
    await signIn(visitor, ownerEmail)
    await page.getByRole('link', { name: 'Ada Lovelace' }).click()
    const field = page.getByRole('textbox', { name: 'Write to Ada Lovelace' })
    await field.fill('See you')
    await page.getByRole('button', { name: addLabel }).click()
    await page.getByRole('menuitem', { name: 'Location' }).click()
    const dialog = page.getByRole('dialog', { name: 'Location' })
    await dialog.getByLabel('Latitude').fill('91')
    await dialog.getByRole('button', { name: 'Send' }).click()
    await dialog.getByText('A number from -90 to 90').waitFor()
    await dialog.getByRole('button', { name: 'Where this device is' }).click()
    await eventually(async () => expect(await dialog.getByLabel('Longitude').inputValue()).toBe('13.37770'))
    await dialog.getByLabel('Name').fill('The bakery')
    expect(await accessibilityFindings(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Send' }).click()
    await dialog.waitFor({ state: 'detached' })
    const log = page.getByRole('log')
    await log.getByRole('link', { name: 'Read: open the message' }).waitFor()
    await log.getByText('The bakery').waitFor()
    expect(await log.getByRole('link', { name: 'Show on a map' }).getAttribute('href')).toMatch(/52\.5163.*13\.3777/)
    expect(await field.inputValue()).toBe('See you')
  })
}
