import { expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { Backstage, ownerEmail, password } from '../backstage.ts'
import { signIn } from '../people.ts'
import { story } from '../stage.ts'

/** Below the workspace, and the role that it needs. */
const closedToViewers = [
  ['/api-keys', 'Admin'],
  ['/audit', 'Admin'],
  ['/channels/connect', 'Admin'],
] as const

export function roleStories(): void {
  story(
    'a viewer sees no button that would be refused, and addresses typed by hand say which role they need',
    async stage => {
      const backstage = await Backstage.signUp(stage.deployment)
      const { lineId } = await backstage.connectSandbox()
      const email = await backstage.invite('viewer')
      const visitor = await stage.visitor()
      const { page } = visitor
      const base = `/console/w/${backstage.workspaceId}`
      await page.goto(base)
      await signIn(visitor, email)
      const links = page.getByRole('navigation', { name: 'Pages of the workspace' }).getByRole('link')
      await links.first().waitFor()
      const shown = await links.allTextContents()
      expect(shown).toContain('Messages')
      expect(shown).not.toContain('API keys')
      expect(shown).not.toContain('Audit')

      for (const [path, role] of [...closedToViewers, [`/lines/${lineId}/templates/new`, 'Member'] as const]) {
        await page.goto(base + path)
        await page.getByRole('heading', { name: 'Your role cannot open this page.' }).waitFor()
        await page.getByText(`It needs the role ${role}.`).waitFor()
      }

      // The menu of a line leads elsewhere too.
      const changing =
        /create|new |connect|add |remove|delete|invite|edit|duplicate|replace|revoke|subscribe|actions for (?!\+)/i
      const changes = async (here: Page, path: string) => {
        await here.goto(base + path)
        await here.getByRole('heading', { level: 1 }).waitFor()
        await here.getByLabel('Loading…').first().waitFor({ state: 'hidden' })
        const main = here.getByRole('main')
        const found = main.getByRole('button', { name: changing }).or(main.getByRole('link', { name: changing }))
        return found.count()
      }
      const owner = await stage.visitor()
      await owner.page.goto(base)
      await signIn(owner, ownerEmail)
      for (const path of ['/channels', `/lines/${lineId}/templates`, '/members']) {
        expect([path, await changes(page, path)]).toEqual([path, 0])
        expect([path, await changes(owner.page, path)]).not.toEqual([path, 0])
      }
      await page.goto(`${base}/channels`)
      await page.getByRole('button', { name: /^Actions for \+/ }).click()
      await page.getByRole('menuitem').first().waitFor()
      expect(await page.getByRole('menuitem').allTextContents()).toEqual([
        'Templates',
        'Existing clients',
        'Copy line id',
      ])
    },
  )

  story('an invitation by link makes a member, who can send and see, and is refused what admins do', async stage => {
    const backstage = await Backstage.signUp(stage.deployment)
    const link = await backstage.invitationLink('member', 'grace@example.com')
    const { page } = await stage.visitor()
    await page.goto(link)
    await page.getByText('grace@example.com').waitFor()
    await page.getByLabel('Your name').fill('Grace Hopper')
    const words = 'a ship in port is safe'
    stage.deployment.keepSecret(words, 'password of the member')
    await page.getByRole('textbox', { name: 'Password', exact: true }).fill(words)
    await page.getByRole('textbox', { name: 'Repeat the password' }).fill(words)
    await page.getByRole('button', { name: 'Create account' }).click()
    await page.waitForURL(`**/console/w/${backstage.workspaceId}*`)
    await page.goto(`/console/w/${backstage.workspaceId}/api-keys`)
    await page.getByText('It needs the role Admin.').waitFor()
    await page.goto(`/console/w/${backstage.workspaceId}/members`)
    await page.getByRole('row').filter({ hasText: 'grace@example.com' }).filter({ hasText: 'Member' }).waitFor()

    const late = await stage.visitor()
    late.expectRefusal(404, /\/invitations\/check$/)
    await late.page.goto(link)
    await late.page.getByText('This link no longer works.').waitFor()
  })

  story('a user joins another workspace signed in, and gets the account back that somebody else had', async stage => {
    const { deployment } = stage
    const backstage = await Backstage.signUp(deployment)
    const email = await backstage.invite('viewer')
    const operatorLink = async (workspace: string, ...more: string[]) => {
      const add = ['user', 'add', '--workspace', workspace, '--email', email, ...more]
      const { link } = await deployment.run<{ link: string }>(...add)
      deployment.keepSecret(link.split('#')[1] ?? '', 'token of an invitation of the operator')
      return link
    }
    const { id } = await deployment.run<{ id: string }>('workspace', 'create', '--name', 'Second Shop')
    const visitor = await stage.visitor()
    const { page } = visitor
    await page.goto(await operatorLink(id))
    await page.getByText(`The operator invites ${email} as Owner.`).waitFor()
    await page.getByText('There is an account with this address. Sign in to join.').waitFor()
    await page.getByRole('link', { name: 'Sign in' }).click()
    await page.getByLabel('Email').fill(email)
    await page.getByRole('textbox', { name: 'Password' }).fill(password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText(`You are signed in as ${email}. Do you want to join with this account?`).waitFor()
    await page.getByRole('button', { name: 'Join' }).click()
    await page.getByRole('button', { name: 'account and colours' }).waitFor()
    await page.goto(`/console/w/${id}/members`)
    await page.getByRole('row').filter({ hasText: email }).filter({ hasText: 'Owner' }).waitFor()

    // Its session ends with the reset: whether its live events meet that would depend on the machine.
    await page.goto('about:blank')
    const other = await stage.visitor()
    await other.page.goto(await operatorLink(id, '--reset'))
    await other.page.getByText('The operator has reset the account of this address.').waitFor()
    const words = 'a ship in port is safe'
    deployment.keepSecret(words, 'new password of the member')
    await other.page.getByRole('textbox', { name: 'New password' }).fill(words)
    await other.page.getByRole('textbox', { name: 'Repeat the password' }).fill(words)
    await other.page.getByRole('button', { name: 'Set password and join' }).click()
    await other.page.getByRole('button', { name: 'account and colours' }).waitFor()
    await other.page.goto(`/console/w/${id}/members`)
    await other.page.getByRole('row').filter({ hasText: email }).filter({ hasText: 'Owner' }).waitFor()
  })
}
