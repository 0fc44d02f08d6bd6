import { expect } from 'bun:test'
import { Backstage, ownerEmail } from '../backstage.ts'
import { signIn } from '../people.ts'
import { story } from '../stage.ts'

export function everydayStories(): void {
  story('/ leads to the sign-in, which draws no ring round a heading; another window sees a new key', async stage => {
    const backstage = await Backstage.signUp(stage.deployment)
    const visitor = await stage.visitor()
    const { page } = visitor
    await page.goto('/')
    await page.getByText('Open the set-up link').waitFor()
    await page.getByLabel('Email').fill(ownerEmail)
    await signIn(visitor, ownerEmail)
    // The heading of the page that opens takes the focus, and with it a key that is pressed on a link before.
    await page.locator('h1:focus').waitFor()
    await page.getByRole('link', { name: 'API keys' }).press('Enter')
    const heading = page.getByRole('heading', { level: 1, name: 'API keys' })
    await heading.waitFor()
    expect(await page.evaluate("getComputedStyle(document.querySelector('h1')).outlineStyle")).toBe('none')

    await page.getByText('There is no API key').waitFor()
    await backstage.createKey('Made elsewhere')
    await page.evaluate("void window.dispatchEvent(new Event('focus'))")
    await page.getByText('Made elsewhere').waitFor()
  })

  story('name, monthly limit and default line are changed in the settings, and the pace with the line', async stage => {
    const backstage = await Backstage.signUp(stage.deployment)
    const { lineId } = await backstage.connectSandbox()
    const visitor = await stage.visitor()
    const { page } = visitor
    await page.goto(`/console/w/${backstage.workspaceId}/settings`)
    await signIn(visitor, ownerEmail)
    const save = page.getByRole('region', { name: 'Workspace' }).getByRole('button', { name: 'Save' })
    expect(await save.isDisabled()).toBe(true)
    await page.getByRole('textbox', { name: 'Name' }).fill('Second Shop')
    await page.getByRole('combobox', { name: 'Default line' }).selectOption(lineId)
    const limit = page.getByRole('textbox', { name: 'Messages a month' })
    await limit.fill('5000')
    await save.click()
    await page.getByText('Saved').waitFor()
    // What was saved is not what the field holds now.
    await limit.fill('-5')
    await page.getByText('Saved').waitFor({ state: 'hidden' })
    await save.click()
    await page.getByText('Enter a whole number from 0 to 1,000,000,000.').waitFor()
    const { workspace } = await backstage.call<{ workspace: object }>('/settings')
    expect(workspace).toMatchObject({ name: 'Second Shop', monthlyMessageLimit: 5_000 })
    const optOuts = page.getByRole('region', { name: 'Opt-outs' })
    await optOuts.getByRole('textbox', { name: 'Words that opt out' }).fill('Basta\nNo más')
    await optOuts.getByRole('combobox', { name: 'Marketing templates' }).selectOption('send')
    await optOuts.getByRole('button', { name: 'Save' }).click()
    await optOuts.getByText('Saved').waitFor()
    const chosen = await backstage.call<{ workspace: object }>('/settings')
    expect(chosen.workspace).toMatchObject({ onOptOut: 'send', stopWords: ['Basta', 'No más'], startWords: null })
    const { lines } = await backstage.call<{ lines: { id: string; isDefault: boolean }[] }>('/lines')
    expect(lines.filter(({ isDefault }) => isDefault).map(({ id }) => id)).toEqual([lineId])

    await page.getByRole('link', { name: 'Channels' }).click()
    await page.getByRole('button', { name: /^Actions for \+/ }).click()
    await page.getByRole('menuitem', { name: 'Change the pace' }).click()
    const dialog = page.getByRole('dialog', { name: /^Change the pace/ })
    await dialog.getByLabel('Messages a second').fill('2,5')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText('Enter a whole number from 0 to 100,000.').click()
    // A click in the dialog does not open the row that it is about.
    expect(new URL(page.url()).pathname).toEndWith('/channels')
    await dialog.getByLabel('Messages a second').fill('25')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'hidden' })
    await page.getByText('25 a second').filter({ visible: true }).waitFor()

    await page.getByRole('button', { name: /^Actions for \+/ }).click()
    await page.getByRole('menuitem', { name: 'Allow Direct Send' }).click()
    await page.getByRole('button', { name: 'Allow Direct Send' }).click()
    await page.getByText('Direct Send', { exact: true }).waitFor()
  })

  story('a message that cannot be read says so; one of unknown outcome is settled by choice', async stage => {
    const backstage = await Backstage.signUp(stage.deployment)
    await backstage.connectSandbox()
    const key = await backstage.createKey('Shop backend')
    const lost = await backstage.send(key, { type: 'text', phone: '+15550130011', content: 'Thank you.' })
    await backstage.send(key, { type: 'text', phone: '+15550150100', content: 'Thank you.' })
    const visitor = await stage.visitor()
    const { page } = visitor
    await page.goto(`/console/w/${backstage.workspaceId}/messages/${lost}`)
    await signIn(visitor, ownerEmail)
    await page.getByRole('button', { name: 'Settle…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Settle this message' })
    expect(await dialog.getByRole('button', { name: 'Settle' }).isDisabled()).toBe(true)
    // The form is locked too, not only its button.
    await page.evaluate("document.querySelector('[role=dialog] form').requestSubmit()")
    await dialog.getByRole('radio', { name: 'It was not sent' }).check()
    await dialog.getByRole('button', { name: 'Settle' }).click()
    await dialog.waitFor({ state: 'hidden' })

    await page.getByRole('link', { name: '← Messages' }).click()
    const message = page.getByRole('link', { name: '+15550150100' })
    await message.waitFor()
    visitor.expectLostConnection()
    await visitor.context.setOffline(true)
    await message.click()
    await page.getByRole('alert').getByText('The gateway cannot be reached').waitFor()
    await visitor.context.setOffline(false)
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('heading', { level: 1, name: 'To +15550150100' }).waitFor()
  })

  story('Enter in a search that says what it said before stays at the page of the list', async stage => {
    const backstage = await Backstage.signUp(stage.deployment)
    const { lineId } = await backstage.connectSandbox()
    const visitor = await stage.visitor()
    const { page } = visitor
    await page.goto(`/console/w/${backstage.workspaceId}/lines/${lineId}/templates?offset=1`)
    await signIn(visitor, ownerEmail)
    await page.getByRole('button', { name: 'Previous page' }).waitFor()
    await page.getByRole('searchbox', { name: 'Search' }).press('Enter')
    // A timer that is set later runs later.
    await page.evaluate('new Promise(resolve => setTimeout(resolve))')
    expect(new URL(page.url()).search).toBe('?offset=1')
  })

  story('the audit goes page by page: the address says which one, and a filter begins with the newest', async stage => {
    const backstage = await Backstage.signUp(stage.deployment)
    // One more entry than a page has, besides those of the set-up.
    for (const number of Array(51).keys()) await backstage.createKey(`Key ${number}`)
    const visitor = await stage.visitor()
    const { page } = visitor
    const oldest = page.getByText('set up the gateway as its first user', { exact: true })
    await page.goto(`/console/w/${backstage.workspaceId}/audit`)
    await signIn(visitor, ownerEmail)
    await page.getByText('made the key Key 50', { exact: true }).waitFor()
    expect(await oldest.count()).toBe(0)
    await page.getByRole('button', { name: 'Older' }).click()
    await oldest.waitFor()
    await page.reload()
    await oldest.waitFor()
    await page.getByLabel('What', { exact: true }).selectOption('API keys')
    await oldest.waitFor({ state: 'hidden' })
    expect(new URL(page.url()).search).toBe('?action=key')
    await page.getByRole('button', { name: 'Older' }).click()
    await page.getByRole('button', { name: 'Newest' }).click()
    await page.waitForURL(url => !url.search.includes('after'))
    // From a member to what this person did.
    await page.getByRole('link', { name: 'Members' }).click()
    await page.getByRole('table', { name: 'Members' }).getByRole('row', { name: ownerEmail }).getByRole('link').click()
    await page.waitForURL(url => url.searchParams.get('by') === `console:${ownerEmail}`)
    await page.getByText('made the key Key 50', { exact: true }).waitFor()
  })

  story('a page asks for its data while its code comes, and for nothing twice', async stage => {
    const backstage = await Backstage.signUp(stage.deployment)
    const visitor = await stage.visitor()
    const { page } = visitor
    await page.goto('/console')
    await signIn(visitor, ownerEmail)
    await page.getByRole('heading', { level: 1 }).waitFor()
    const asked: string[] = []
    page.on('request', request => asked.push(request.url().replace(`${stage.deployment.url}/api/v1/`, '')))
    await page.goto('/console')
    await page.getByRole('main').getByRole('heading', { level: 2 }).first().waitFor()
    const within = `workspaces/${backstage.workspaceId}`
    const early = ['auth/refresh', `${within}/setup`, `${within}/conversation-count`, `${within}/overview?days=30`]
    expect(asked.filter(path => early.includes(path)).sort()).toEqual(early.toSorted())
  })
}
