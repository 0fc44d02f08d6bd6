import { expect } from 'bun:test'
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
    await page.getByLabel('New password').fill('too short')
    await page.getByLabel('Repeat the password').fill('too short')
    await page.getByRole('button', { name: 'Create account' }).click()
    await page.getByText('It has fewer than 12 characters.').waitFor()
    await page.getByLabel('New password').fill(password)
    await page.getByLabel('Repeat the password').fill(password)
    await page.getByRole('button', { name: 'Create account' }).click()
    await page.waitForURL('**/console/w/ws_*')

    const late = await stage.visitor()
    late.expectRefusal(404, /\/setup\/check$/)
    await late.page.goto(link)
    await late.page.getByText('This link does not work any more.').waitFor()
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
}
