import { password } from './backstage.ts'
import type { Visitor } from './visitor.ts'

/** Fills in the form of the sign-in page, which is open already when a page asked for it. */
export async function signIn({ page }: Visitor, email: string): Promise<void> {
  await page.getByLabel('Email').fill(email)
  await page.getByRole('textbox', { name: 'Password' }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('button', { name: 'account and colours' }).waitFor()
}
