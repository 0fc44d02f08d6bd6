import { expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { run } from '../../../programs.ts'
import { ownerEmail, password } from '../backstage.ts'
import { story } from '../stage.ts'
import { desktop } from '../visitor.ts'

/** From the link that the gateway prints to the first user. */
async function signUp(page: Page, link: string): Promise<void> {
  await page.goto(link)
  await page.getByLabel('Name of the workspace').fill('Sandbox Shop')
  await page.getByLabel('Email').fill(ownerEmail)
  await page.getByRole('textbox', { name: 'Password', exact: true }).fill(password)
  await page.getByLabel('Repeat the password').fill(password)
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.waitForURL('**/console/w/ws_*/setup')
}

/** What curl prints for a command of the page, pasted into a shell as it is. */
async function paste(command: string): Promise<{ error?: string; data?: { id: string; status: string } }> {
  const { stdout } = await run(['bash', '-c', command])
  return JSON.parse(stdout)
}

export function firstMessageStories(): void {
  story('from the set-up link to a message that was read, and to a key that is revoked', async stage => {
    const { deployment } = stage
    const { page } = await stage.visitor(desktop)
    deployment.keepSecret(password, 'password')

    await signUp(page, await deployment.setupLink())
    await page.getByRole('button', { name: 'Use the sandbox' }).click()
    // A message, without a program.
    await page.getByRole('button', { name: 'Send test message' }).click()
    // Followed where it was sent.
    await page.getByText(/^Read after \d/).waitFor()
    await page.getByRole('link', { name: 'First steps: 4 of 6' }).waitFor()

    // A template of one's own.
    await page.getByRole('link', { name: 'Templates', exact: true }).click()
    await page.getByRole('link', { name: 'New template' }).click()
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('parcel_ready')
    await page.getByLabel('Language').first().selectOption('German (de)')
    await page.getByRole('textbox', { name: 'Text', exact: true }).fill('Hello {{1}}, your parcel is ready.')
    await page.getByLabel('Example for {{1}}').fill('Ada')
    await page.getByRole('button', { name: 'Submit' }).click()
    await page.getByText('In review', { exact: true }).first().waitFor()
    await page.getByText('Approved', { exact: true }).first().waitFor()

    // A key, and the command as it is shown.
    await page.getByRole('link', { name: 'First steps: 4 of 6' }).click()
    await page.getByRole('button', { name: 'Create a key' }).click()
    const command = (await page.getByRole('region', { name: 'command that sends a message' }).textContent()) ?? ''
    deployment.keepSecret(/sk_\w+/.exec(command)?.[0] ?? 'no secret in the command', 'API secret')
    const sent = await paste(command)
    expect(sent.data?.id).toStartWith('msg_')
    await page.getByRole('link', { name: 'First steps: 5 of 6' }).waitFor()
    // The secret stays until somebody says that it is kept: nothing else has it.
    await page.getByRole('link', { name: 'Messages', exact: true }).click()
    await page.getByRole('dialog', { name: 'Leave this page?' }).getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'I have copied the secret' }).click()

    // A second message appears, and is followed, while the list is open.
    await page.getByRole('link', { name: 'Messages', exact: true }).click()
    const rows = page.getByRole('row').filter({ hasText: '+15550150100' })
    await rows.filter({ hasText: 'Read' }).first().waitFor()
    await page.getByText('Live', { exact: true }).waitFor()
    await paste(command)
    await rows.nth(1).waitFor()
    await rows.filter({ hasText: 'Read' }).nth(1).waitFor()

    await page.getByRole('link', { name: 'API keys' }).click()
    await page.getByRole('button', { name: 'Actions for First key' }).click()
    await page.getByRole('menuitem', { name: 'Revoke' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    expect(await paste(command)).toMatchObject({ error: 'UNAUTHORIZED' })
  })
}
