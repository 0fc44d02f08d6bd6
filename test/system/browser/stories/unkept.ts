import { expect } from 'bun:test'
import type { Locator } from 'playwright-core'
import { Backstage, ownerEmail } from '../backstage.ts'
import { signIn } from '../people.ts'
import { story } from '../stage.ts'

export function unkeptStories(): void {
  story(
    'a secret that is shown once, and what was written, are not lost by Escape or a click elsewhere',
    async stage => {
      const { deployment } = stage
      const backstage = await Backstage.signUp(deployment)
      const visitor = await stage.visitor()
      const { page } = visitor
      await page.goto(`/console/w/${backstage.workspaceId}/api-keys`)
      await signIn(visitor, ownerEmail)
      const form = page.getByRole('dialog', { name: 'Create a key' })
      const question = page.getByRole('dialog', { name: 'Close without saving?' })

      await page.getByRole('button', { name: 'Create a key' }).first().click()
      await form.waitFor()
      await page.keyboard.press('Escape')
      await form.waitFor({ state: 'hidden' })

      await page.getByRole('button', { name: 'Create a key' }).first().click()
      await form.getByLabel('Label').fill('Shop backend')
      await page.mouse.click(5, 5)
      await question.getByText('Your changes are not saved.').waitFor()
      await question.getByRole('button', { name: 'Cancel' }).click()
      expect(await form.getByLabel('Label').inputValue()).toBe('Shop backend')

      await form.getByRole('button', { name: 'Create a key' }).click()
      const secret = form.locator('code').filter({ hasText: /^sk_/ })
      deployment.keepSecret((await secret.textContent()) ?? '', 'API secret')
      await page.keyboard.press('Escape')
      await question.getByText('It is shown only once. Have you saved it?').waitFor()
      await page.keyboard.press('Escape')
      await question.waitFor({ state: 'hidden' })
      await secret.waitFor()
      await page.keyboard.press('Escape')
      await question.getByRole('button', { name: 'Close and discard' }).click()
      await form.waitFor({ state: 'hidden' })
    },
  )

  story('the successor of a key that ends at once is shown although its row is gone, and it works', async stage => {
    const { deployment } = stage
    const backstage = await Backstage.signUp(deployment)
    await backstage.connectSandbox()
    const former = await backstage.createKey('Shop backend')
    const visitor = await stage.visitor()
    const { page } = visitor
    await page.goto(`/console/w/${backstage.workspaceId}/api-keys`)
    await signIn(visitor, ownerEmail)
    await page.getByRole('button', { name: 'Actions for Shop backend' }).click()
    await page.getByRole('menuitem', { name: 'Rotate' }).click()
    const form = page.getByRole('dialog', { name: /Shop backend/ })
    await form.getByLabel('The old key works for').selectOption('No longer')
    await form.getByRole('button', { name: 'Rotate' }).click()
    await page.getByText(former.apiKey).waitFor({ state: 'hidden' })
    const apiKey = (await form.locator('code').filter({ hasText: /^pk_/ }).textContent()) ?? ''
    const apiSecret = (await form.locator('code').filter({ hasText: /^sk_/ }).textContent()) ?? ''
    deployment.keepSecret(apiSecret, 'API secret')
    const message = { type: 'text', phone: '+15550150100', content: 'Thank you.' }
    expect(await backstage.send({ apiKey, apiSecret }, message)).toStartWith('msg_')
    await form.getByRole('button', { name: 'I have copied the secret' }).click()
    await form.waitFor({ state: 'hidden' })
  })

  story('what is shown this once is there before the rest of the page was read again', async stage => {
    const { deployment } = stage
    const backstage = await Backstage.signUp(deployment)
    await backstage.connectSandbox()
    const visitor = await stage.visitor()
    const { page } = visitor
    const base = `/console/w/${backstage.workspaceId}`
    await page.goto(`${base}/setup`)
    await signIn(visitor, ownerEmail)
    /** The answer to a click, while nothing can be read. */
    const answerTo = async (button: Locator, shown: Locator) => {
      const { promise: released, resolve: release } = Promise.withResolvers<void>()
      await page.route('**/api/v1/workspaces/**', async route => {
        if (route.request().method() === 'GET') await released
        await route.continue()
      })
      await button.click()
      const answer = (await shown.textContent()) ?? ''
      release()
      await page.unrouteAll({ behavior: 'wait' })
      return answer
    }
    const secretOf = (answer: string) => /sk_\w+/.exec(answer)?.[0] ?? 'no secret in the answer'

    const createFirst = page.getByRole('button', { name: 'Create a key' })
    const command = page.getByRole('region', { name: 'command that sends a message' })
    deployment.keepSecret(secretOf(await answerTo(createFirst, command)), 'API secret')
    // It stays also when another window takes away what the step needs.
    const other = await visitor.context.newPage()
    await other.goto(`${base}/channels`)
    await other.getByRole('button', { name: /^Actions for \+/ }).click()
    await other.getByRole('menuitem', { name: 'Deactivate' }).click()
    await other.getByRole('dialog').getByRole('button', { name: 'Deactivate' }).click()
    await other.getByRole('dialog').waitFor({ state: 'hidden' })
    await other.close()
    await page.evaluate("void window.dispatchEvent(new Event('focus'))")
    await page.getByText('Add a line on the page of the channel.').waitFor()
    expect(await command.isVisible()).toBe(true)
    await page.getByRole('button', { name: 'I have copied the secret' }).click()

    await page.goto(`${base}/api-keys`)
    const dialog = page.getByRole('dialog')
    const secret = dialog.locator('code').filter({ hasText: /^sk_/ })
    await page.getByRole('button', { name: 'Create a key' }).click()
    const create = dialog.getByRole('button', { name: 'Create a key' })
    deployment.keepSecret(secretOf(await answerTo(create, secret)), 'API secret')
    await dialog.getByRole('button', { name: 'I have copied the secret' }).click()

    await page.getByRole('button', { name: 'Actions for First key' }).click()
    await page.getByRole('menuitem', { name: 'Rotate' }).click()
    const rotate = dialog.getByRole('button', { name: 'Rotate' })
    deployment.keepSecret(secretOf(await answerTo(rotate, secret)), 'API secret')
    await dialog.getByRole('button', { name: 'I have copied the secret' }).click()

    await page.goto(`${base}/members`)
    await page.getByRole('button', { name: 'Invite' }).click()
    await dialog.getByLabel('Email').fill('grace@example.com')
    const link = await answerTo(dialog.getByRole('button', { name: 'Invite' }), dialog.getByRole('region'))
    deployment.keepSecret(link.split('#')[1] ?? 'no token in the link', 'token of an invitation')
    await dialog.getByRole('button', { name: 'I have copied the link' }).click()
  })

  story(
    'a draft is there again after a reload and a session that ended, without its secrets, until it is sent',
    async stage => {
      const backstage = await Backstage.signUp(stage.deployment)
      const { lineId } = await backstage.connectSandbox()
      const visitor = await stage.visitor()
      const { page } = visitor
      const base = `/console/w/${backstage.workspaceId}`
      await page.goto(`${base}/lines/${lineId}/templates/new`)
      await signIn(visitor, ownerEmail)
      const restored = page.getByText('Your unsaved draft was restored.')
      const name = page.getByRole('textbox', { name: 'Name', exact: true })
      await name.fill('parcel_ready')
      await page.getByRole('link', { name: 'Messages', exact: true }).click()
      await page.waitForURL('**/messages')
      await page.goBack()
      await restored.waitFor()
      expect(await name.inputValue()).toBe('parcel_ready')
      // Who goes on with it is not told any longer.
      await name.fill('parcel_is_ready')
      await restored.waitFor({ state: 'detached' })
      await name.fill('parcel_ready')

      // No tab knows that somebody has signed out: for this one the session has ended.
      visitor.expectRefusal(401, /\/api\/v1\/workspaces\//)
      await visitor.context.request.post(new URL('/api/v1/auth/logout', page.url()).href)
      await page.waitForURL('**/console/sign-in*')
      await signIn(visitor, ownerEmail)
      await restored.waitFor()
      expect(await name.inputValue()).toBe('parcel_ready')
      await page.getByRole('button', { name: 'Discard the draft' }).click()
      expect(await name.inputValue()).toBe('')

      await name.fill('parcel_late')
      const other = await visitor.context.newPage()
      await other.goto('/console/account')
      await other.getByRole('button', { name: 'account and colours' }).click()
      await other.getByRole('menuitem', { name: 'Sign out' }).click()
      await page.waitForURL('**/console/sign-in*')
      await signIn(visitor, ownerEmail)
      expect(await name.inputValue()).toBe('')

      const open = () => page.getByRole('button', { name: 'Add an endpoint' }).first().click()
      const [address, headers] = ['Address', 'Own headers'].map(label => page.getByLabel(label))
      await page.goto(`${base}/webhooks`)
      await open()
      await address?.fill('https://shop.example/hook')
      await page.getByText('More: events, lines, headers').click()
      await headers?.fill('Authorization: Bearer of-the-shop')
      // The address says that the form is open.
      await page.reload()
      await restored.waitFor()
      expect([await address?.inputValue(), await headers?.inputValue()]).toEqual(['https://shop.example/hook', ''])
      // Who goes on with it is not told any longer.
      await address?.fill('https://shop.example/hooks')
      await restored.waitFor({ state: 'detached' })
      await page.getByRole('dialog').getByRole('button', { name: 'Add an endpoint' }).click()
      await page.getByRole('button', { name: 'I have copied the secret' }).click()
      // Its own page opens.
      await page.waitForURL('**/webhooks/hook_*')
      await page.goto(`${base}/webhooks`)
      await open()
      expect(await address?.inputValue()).toBe('')
      await address?.fill('https://shop.example/other')
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'account and colours' }).click()
      await page.getByRole('menuitem', { name: 'Sign out' }).click()
      await page.waitForURL('**/console/sign-in*')
      expect(await page.evaluate('JSON.stringify({ ...sessionStorage })')).toBe('{}')
    },
  )
}
