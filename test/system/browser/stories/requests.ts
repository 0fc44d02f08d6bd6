import { Backstage } from '../backstage.ts'
import { signIn } from '../people.ts'
import { story } from '../stage.ts'

export function requestStories(): void {
  story("a backend's developer finds why a call was refused, and the call of a message", async stage => {
    const backstage = await Backstage.signUp(stage.deployment)
    await backstage.connectSandbox()
    const key = await backstage.createKey('Shop backend')
    const visitor = await stage.visitor()
    const { page } = visitor
    await page.goto(`/console/w/${backstage.workspaceId}`)
    await signIn(visitor, await backstage.invite('viewer'))
    await page.getByRole('link', { name: 'Requests', exact: true }).click()
    await page.getByText('No request yet').waitFor()

    // They appear while the page is open.
    await backstage.send(key, { type: 'text', phone: '+49 (0)151 100', text: 'Hello' }, 'VALIDATION_ERROR')
    const messageId = await backstage.send(key, { type: 'text', phone: '+15550150100', content: 'Hello' })
    await page.getByRole('row', { name: /POST \/messages\/send.*Shop backend.* 201 / }).waitFor()
    await page.getByLabel('Outcome').selectOption('Refused')
    await page.getByRole('row', { name: / 201 / }).waitFor({ state: 'hidden' })
    await page
      .getByRole('row', { name: / 400 .*Malformed: \w+ and \d more/ })
      .getByRole('link')
      .click()

    await page.getByText('Why it was refused').waitFor()
    const problems = page.getByRole('table', { name: 'Problems' })
    await problems.getByRole('row', { name: /\/phone.*leave out the \(0\)/ }).waitFor()
    await problems.getByRole('row', { name: /\/content.*is required/ }).waitFor()
    await page.getByRole('link', { name: 'Read more in the guide to errors' }).waitFor()
    await page.getByRole('link', { name: 'All requests of this key' }).click()
    await page.getByRole('row', { name: / 201 / }).waitFor()

    await page.goto(`/console/w/${backstage.workspaceId}/messages/${messageId}`)
    await page.getByRole('link', { name: 'POST /messages/send · 201' }).click()
    await page.getByRole('heading', { name: 'POST /messages/send' }).waitFor()
    await page.getByRole('link', { name: messageId }).click()
    await page.getByRole('heading', { name: /^To / }).waitFor()
  })
}
