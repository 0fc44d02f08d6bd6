import { expect } from 'bun:test'
import { totpCode } from '../../../../src/base/totp.ts'
import { Backstage, ownerEmail, password } from '../backstage.ts'
import { signIn } from '../people.ts'
import { story } from '../stage.ts'

export function signInStories(): void {
  story('the set-up link makes the first user, signs in, and works once', async stage => {
    const { deployment } = stage
    const { page } = await stage.visitor()
    deployment.keepSecret(password, 'password')
    const link = await deployment.setupLink()

    await page.goto(link)
    await page.getByLabel('Name of the workspace').fill('Sandbox Shop')
    await page.getByLabel('Your name').fill('Ada Lovelace')
    await page.getByLabel('Email').fill(ownerEmail)
    await page.getByRole('textbox', { name: 'Password', exact: true }).fill('too short')
    await page.getByLabel('Repeat the password').fill('too short')
    await page.getByRole('button', { name: 'Create account' }).click()
    await page.getByText('It must have at least 12 characters.').waitFor()
    await page.getByRole('textbox', { name: 'Password', exact: true }).fill(password)
    await page.getByLabel('Repeat the password').fill(password)
    await page.getByRole('button', { name: 'Create account' }).click()
    await page.waitForURL('**/console/w/ws_*/setup')
    // The overview of a workspace that has sent nothing leads there as well.
    await page.getByRole('link', { name: 'Overview' }).click()
    await page.getByRole('heading', { name: 'Next: Channel' }).waitFor()
    await page.getByRole('link', { name: 'Continue with the first steps' }).click()
    await page.waitForURL('**/setup')

    const late = await stage.visitor()
    late.expectRefusal(404, /\/setup\/check$/)
    await late.page.goto(link)
    await late.page.getByText('This link no longer works.').waitFor()
  })

  story(
    'a wrong password and an unknown address get the same words; the right one leads where it was asked for',
    async stage => {
      const { workspaceId } = await Backstage.signUp(stage.deployment)
      const visitor = await stage.visitor()
      const { page } = visitor
      visitor.expectRefusal(401, /\/auth\/login$/)

      await page.goto(`/console/w/${workspaceId}/messages?status=FAILED`)
      await page.waitForURL('**/console/sign-in?*')
      const refusal = page.getByRole('alert')
      const wrongPassword = 'not the password at all'
      stage.deployment.keepSecret(wrongPassword, 'password that was wrong')
      const words: (string | null)[] = []
      for (const email of [ownerEmail, 'nobody@example.com']) {
        await page.getByLabel('Email').fill(email)
        await page.getByRole('textbox', { name: 'Password' }).fill(wrongPassword)
        await page.getByRole('button', { name: 'Sign in' }).click()
        words.push(await refusal.textContent())
      }
      expect(words).toEqual(Array(2).fill('The email address or the password is wrong.'))

      await signIn(visitor, ownerEmail)
      await page.waitForURL(`**/console/w/${workspaceId}/messages?status=FAILED`)
    },
  )

  story(
    'with an authenticator app the password is not enough; a sign-in that is ended from another browser is over',
    async stage => {
      const { deployment } = stage
      await Backstage.signUp(deployment)
      const visitor = await stage.visitor()
      const { page } = visitor
      await page.goto('/console/account')
      await signIn(visitor, ownerEmail)
      await page.getByRole('button', { name: 'Set up' }).click()
      await page.getByRole('dialog').getByRole('textbox', { name: 'Current password' }).fill(password)
      await page.getByRole('button', { name: 'Next' }).click()
      await page.getByLabel('QR code for the authenticator app').waitFor()
      const key = (await page.getByRole('dialog').locator('code').first().textContent()) ?? ''
      deployment.keepSecret(key, 'secret of the authenticator app')
      await page.getByRole('textbox', { name: 'Code that the app shows' }).fill(codeOf(key, 0))
      await page.getByRole('button', { name: 'Confirm' }).click()
      const recoveryCodes = (await page.getByRole('region', { name: 'Recovery codes' }).textContent()) ?? ''
      for (const code of recoveryCodes.split('\n')) deployment.keepSecret(code, 'recovery code')
      await page.getByRole('button', { name: 'I have kept them' }).click()

      const other = await stage.visitor()
      other.expectRefusal(401, /\/auth\/login$/)
      await other.page.goto('/console/account')
      await other.page.getByLabel('Email').fill(ownerEmail)
      await other.page.getByRole('textbox', { name: 'Password' }).fill(password)
      await other.page.getByRole('button', { name: 'Sign in' }).click()
      // Each code works once: this is the next one, which a clock that is a little fast would show.
      await other.page.getByRole('textbox', { name: 'Code' }).fill(codeOf(key, 1))
      await other.page.getByRole('button', { name: 'Sign in' }).click()
      await other.page.getByRole('heading', { level: 1, name: 'Account' }).waitFor()

      await page.reload()
      const signIns = page.getByRole('table', { name: 'Sign-ins' }).getByRole('row', { name: 'Chrome on Linux' })
      await signIns.filter({ hasNotText: 'This browser' }).getByRole('button', { name: 'Sign out' }).click()
      await signIns.nth(1).waitFor({ state: 'detached' })
      await other.page.reload()
      await other.page.getByText('Your sign-in has ended.').waitFor()
      await page.getByRole('button', { name: 'Sign out everywhere' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere' }).click()
      await page.waitForURL('**/console/sign-in*')
      await page.getByLabel('Email').waitFor()
      expect(await page.getByText('Your sign-in has ended.').count()).toBe(0)
    },
  )
}

/** What an authenticator app shows for its key. @param ahead in steps of 30 seconds */
function codeOf(key: string, ahead: number): string {
  const bits = [...key]
    .map(char => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(char).toString(2).padStart(5, '0'))
    .join('')
  const bytes = (bits.match(/.{8}/g) ?? []).map(byte => Number.parseInt(byte, 2))
  return totpCode(Uint8Array.from(bytes), Math.floor(Date.now() / 30_000) + ahead)
}
